import type { DeliveryError, NotificationMessage } from '@holdfast/plugin-api';
import { replyWith, Sink, type SinkAnswer } from '@holdfast/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appriseServer } from '../src/apprise-server.js';
import { problemOfServiceUrl } from '../src/service-url.js';

let sink: Sink;
beforeEach(async () => {
  sink = await Sink.open();
});
afterEach(() => sink.close());

const message: NotificationMessage = {
  id: 'evt-1',
  title: 'Title',
  body: '<p>Body</p>',
  format: 'html',
  type: 'warning',
  event: 'test',
  timestamp: '2030-01-02T03:04:05.678Z',
  data: {},
};
const target = 'mailto://ada:s3cret-4711@home.test';

const server = (place = '') => appriseServer(`http://${sink.host}${place}`, { timeout: 5_000 });

async function sent(url: string, changes: Partial<NotificationMessage> = {}) {
  await server().notify(url, { ...message, ...changes }, new AbortController().signal);
  return JSON.parse(sink.requests.at(-1)?.body ?? '');
}

async function refusal(): Promise<DeliveryError> {
  try {
    await server().notify(target, message, new AbortController().signal);
  } catch (error) {
    return error as DeliveryError;
  }
  throw new Error('it was sent');
}

const saying =
  (code: number, body: unknown): SinkAnswer =>
  (response) =>
    void response
      .writeHead(code, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

it('makes the stateless call', async () => {
  expect(await sent(target)).toEqual({
    urls: target,
    title: 'Title',
    body: '<p>Body</p>',
    type: 'warning',
    format: 'html',
  });
  expect(sink.requests[0]).toMatchObject({
    method: 'POST',
    path: '/notify',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  });
});

it.each(['', '/', '/apprise', '/apprise/'])('finds the call below "%s"', async (place) => {
  await server(place).notify(target, message, new AbortController().signal);
  expect(sink.requests[0]?.path).toBe(`${place.replace(/\/$/, '')}/notify`);
});

it('sends a body that is not empty', async () => {
  expect((await sent(target, { body: '' })).body).toBe('Title');
  expect((await sent(target, { body: '', title: '' })).body).toBe('-');
});

it.each([
  ['mailto://a:b@c.test?to=d@e.test,f@g.test', 'mailto://a:b@c.test?to=d@e.test%2Cf@g.test'],
  ['slack://a/b/#one two', 'slack://a/b/#one%20two'],
  ['json://a/b\tc\u00a0d', 'json://a/b%09c%C2%A0d'],
  ['json://a/b;json://c', 'json://a/b%3Bjson://c'],
  ['json://a/?b=1;c=2', 'json://a/?b=1;c=2'],
  ['tgram://123456789:abc/%2C', 'tgram://123456789:abc/%2C'],
])('%s stays one URL', async (url, urls) => {
  expect((await sent(url)).urls).toBe(urls);
});

it.each([
  [204, '', false, /does not recognise this URL/],
  [400, { error: 'Payload lacks minimum requirements' }, false, /answered 400: Payload lacks minimum req/],
  [406, { error: 'The recursion limit has been reached' }, false, /answered 406: The recursion/],
  [413, 'too large', false, /answered 413/],
  [
    424,
    { error: 'One or more', details: [['WARNING', 'now', 'Login failed']] },
    true,
    /deliver.*: Login failed/,
  ],
  [424, { error: 'One or more', details: [] }, true, /could not deliver the message: One or more/],
  [
    424,
    { error: 'One or more', details: [null, 7, ['a']] },
    true,
    /could not deliver the message: One or more/,
  ],
  [404, {}, true, /answered 404\.$/],
  [301, {}, true, /answered 301\.$/],
  [500, '<html>broken</html>', true, /answered 500: <html>broken<\/html>$/],
  [503, null, true, /answered 503/],
  [201, {}, true, /answered 201/],
])('%i %j fails the delivery; retryable: %s', async (code, body, retryable, words) => {
  sink.answer = code === 204 ? replyWith(204) : saying(code, body);
  const error = await refusal();
  expect(error).toMatchObject({ name: 'DeliveryError', retryable });
  expect(error.message).toMatch(words);
});

it('masks the URL in messages in any form', async () => {
  const text = `could not log in as ada with s3cret-4711 at mailto://ada:s3cret-4711@home.test`;
  sink.answer = saying(424, { error: 'e', details: [['WARNING', 'now', `${'x'.repeat(290)}${text}`]] });
  const { message: shown } = await refusal();
  expect(shown).not.toContain('s3cret');
});

it('leaves a server that does not answer', async () => {
  sink.answer = () => undefined;
  const slow = appriseServer(`http://${sink.host}`, { timeout: 300 });
  const sending = slow.notify(target, message, new AbortController().signal);
  await expect(sending).rejects.toMatchObject({
    name: 'DeliveryError',
    message: 'The Apprise server did not respond in time.',
    retryable: true,
  });
});

it('is well while something answers', async () => {
  expect(await server().health()).toBeNull();
  sink.answer = replyWith(404);
  expect(await server().health()).toBeNull();
  await sink.close();
  expect(await server().health()).toBe('The Apprise server refuses the connection.');
});

it('rejects URLs that can never deliver', () => {
  expect(problemOfServiceUrl('mailto://a')).toBeNull();
  expect(problemOfServiceUrl('syslog://')).toMatch(/syslog:\/\/ shows messages only on the machine/);
  expect(problemOfServiceUrl('nothing')).toMatch(/no scheme/);
});

it('hides texts of another message that is sent at the same time', async () => {
  const urls = ['ntfy://host.test/topic-of-one-4711', 'ntfy://host.test/topic-of-two-4712'];
  const waiting: (() => void)[] = [];
  // As the server does: its log is that of all calls.
  const details = urls.map((url) => ['WARNING', 'now', `could not reach ${url}`]);
  sink.answer = (response, request) => {
    waiting.push(() => saying(424, { error: 'no', details })(response, request));
    if (waiting.length === urls.length) for (const answer of waiting) answer();
  };
  const one = server();
  const send = (url: string) => one.notify(url, message, new AbortController().signal);
  const refused = await Promise.allSettled(urls.map(send));
  for (const outcome of refused) {
    const { message: words } = (outcome as PromiseRejectedResult).reason as DeliveryError;
    expect(words).toContain('could not reach ***');
    expect(words).not.toMatch(/471[12]/);
  }
});
