import type { eventKind } from '@holdfast/contracts';
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { type EventKind, type FollowOptions, followEvents, type HoldfastEvent } from '../src/index.js';
import { makeEventParser } from '../src/sent-events.js';
import { type FakeAnswer, fakeService, json } from './fake-service.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A stream that says these parts, and then ends, breaks, or stays as it is until the request is aborted. */
const stream =
  (parts: string[], end: 'ends' | 'breaks' | 'stays' = 'ends') =>
  (request: Request) =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
          if (end === 'ends') controller.close();
          request.signal.addEventListener('abort', () => controller.error(request.signal.reason));
        },
        pull(controller) {
          if (end === 'breaks') controller.error(new TypeError('terminated'));
        },
      }),
    );
const ready = (id: number) => `retry: 2000\n\nid: ${id}\nevent: ready\ndata: {"last_event_id":${id}}\n\n`;
const ended = (id: number) => `id: ${id}\nevent: job_ended\ndata: {"id":${id},"kind":"job_ended"}\n\n`;

/** Follows the answers until there are so many events, while the fake clock runs. */
async function follow(answers: FakeAnswer[], count: number, options: FollowOptions = {}) {
  const service = fakeService(answers, { token: () => 'token' });
  const leaving = new AbortController();
  const states: string[] = [];
  const times: number[] = [];
  const silences: number[] = [];
  const events: HoldfastEvent[] = [];
  const onState = (state: string, heardAt: number) => {
    states.push(state);
    if (state === 'lost') silences.push((Date.now() - heardAt) / 1000);
    if (state === 'connecting') times.push(Date.now());
  };
  const reading = (async () => {
    for await (const event of followEvents(service.client, { onState, signal: leaving.signal, ...options })) {
      events.push(event);
      if (events.length === count) leaving.abort();
    }
  })().catch((error: Error) => error);
  let over = false;
  reading.then(() => {
    over = true;
  });
  while (!over) await vi.advanceTimersByTimeAsync(500);
  const pauses = times.slice(1).map((time, n) => (time - (times[n] ?? 0)) / 1000);
  return { ...service, states, events, pauses, silences, failure: await reading };
}

test('requests the selected events with the token in a header', async () => {
  const choice: FollowOptions = { lastEventId: 4, kinds: ['job_ended', 'incident'], repositoryId: 1 };
  const { requests, events } = await follow([stream([ready(4)], 'stays')], 1, { ...choice, progress: true });
  const [request] = requests;
  const query = '?kinds=job_ended%2Cincident&repository_id=1&progress=true';
  expect(request?.url).toBe(`http://holdfast.test/prefix/api/events${query}`);
  expect(request?.headers.get('Last-Event-ID')).toBe('4');
  expect(request?.headers.get('Authorization')).toBe('Bearer token');
  expect(events).toEqual([{ id: 4, event: 'ready', data: { last_event_id: 4 } }]);
});

test('continues after the last event or heartbeat when a stream ends or breaks', async () => {
  const answers = [
    stream([ready(1), ended(2)], 'breaks'),
    stream([ready(2), ': heartbeat\nid: 9\n\n']),
    stream([ready(9), ended(10)], 'stays'),
  ];
  const { header, events, states } = await follow(answers, 5);
  expect(events.map(({ event, id }) => `${event} ${id}`)).toEqual([
    'ready 1',
    'job_ended 2',
    'ready 2',
    'ready 9',
    'job_ended 10',
  ]);
  expect(header('Last-Event-ID')).toEqual([null, '2', '9']);
  const once = ['connecting', 'open', 'lost'];
  expect(states).toEqual([...once, ...once, 'connecting', 'open']);
});

test('waits longer after each failure and resets after a response', async () => {
  const no = new TypeError('fetch failed');
  const answers = [no, no, no, no, no, no, stream([ready(1)]), stream([ready(1)], 'stays')];
  const { pauses, requests } = await follow(answers, 2);
  expect(requests).toHaveLength(8);
  for (const [n, least] of [2, 4, 8, 16, 30, 30, 2].entries()) {
    expect(pauses[n]).toBeGreaterThanOrEqual(least);
    expect(pauses[n]).toBeLessThanOrEqual(least * 1.2 + 0.5);
  }
});

test('waits as requested by the server when there are too many streams', async () => {
  const full = json({ detail: 'Too many.' }, 429, { 'Retry-After': '20' });
  const { pauses } = await follow([full, stream([ready(1)], 'stays')], 1);
  expect(pauses[0]).toBeGreaterThanOrEqual(20);
});

test('reconnects after 20 s of silence', async () => {
  const answers = [stream([ready(1)], 'stays'), stream([ready(1)], 'stays')];
  const { pauses, states, silences } = await follow(answers, 2);
  expect(silences).toEqual([20]);
  expect(pauses[0]).toBeGreaterThanOrEqual(22);
  expect(pauses[0]).toBeLessThan(24);
  expect(states).toEqual(['connecting', 'open', 'lost', 'connecting', 'open']);
});

test('so is a connection that is never answered', async () => {
  const never = (request: Request) =>
    new Promise<Response>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  const { pauses } = await follow([never, stream([ready(1)], 'stays')], 1);
  expect(pauses[0]).toBeGreaterThanOrEqual(22);
});

test('does not count the time of the reader as silence', async () => {
  const { client, requests } = fakeService([stream([ready(1), ended(2)], 'stays')]);
  const events = followEvents(client, { signal: AbortSignal.timeout(1e6) });
  await events.next();
  await vi.advanceTimersByTimeAsync(100_000);
  expect((await events.next()).value).toMatchObject({ id: 2 });
  await events.return();
  expect(requests).toHaveLength(1);
  vi.clearAllTimers();
});

test('ends with the error if the server refuses, and without one by the signal', async () => {
  const { failure } = await follow([json({ detail: 'Sign in.' }, 401)], 1);
  expect(failure).toMatchObject({ status: 401, detail: 'Sign in.' });
  const { failure: none, events } = await follow([stream([])], 1, { signal: AbortSignal.abort() });
  expect([none, events]).toEqual([undefined, []]);
});

test('ends a wait on abort', async () => {
  const leaving = new AbortController();
  const onState = (state: string) => {
    if (state === 'lost') leaving.abort();
  };
  const { failure, requests } = await follow([new TypeError('fetch failed')], 1, {
    onState,
    signal: leaving.signal,
  });
  expect(failure).toBeUndefined();
  expect(requests).toHaveLength(1);
});

test('knows every kind of event', () => {
  expectTypeOf<EventKind>().toEqualTypeOf<(typeof eventKind.options)[number]>();
});

test('parses text in any pieces and with all line ends', () => {
  const text =
    ': note\n\nid: 1\r\nevent: a\r\ndata: one\r\ndata:two\r\n\r\nretry: 5\rretry: x\r\rid\ndata: {"a": ":"}\n\n';
  const whole = [
    { id: undefined, event: 'message', data: undefined, retry: undefined },
    { id: '1', event: 'a', data: 'one\ntwo', retry: undefined },
    { id: '1', event: 'message', data: undefined, retry: 5 },
    { id: '', event: 'message', data: '{"a": ":"}', retry: undefined },
  ];
  for (let size = 1; size <= text.length; size += 1) {
    const parse = makeEventParser();
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
    expect(pieces.flatMap(parse)).toEqual(whole);
  }
});
