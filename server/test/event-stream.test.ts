import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { EventFeed, PlacedEvent } from '@holdfast/core/server';
import type { Response } from 'express';
import { afterEach, expect, test } from 'vitest';
import { EventStream } from '../src/http/events/event-stream.js';

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const event = (seq: number, text: string): PlacedEvent => ({
  id: seq,
  seq,
  kind: 'backup_start',
  at: 1,
  repository_id: 1,
  job_id: null,
  data: { text },
});

/** A server whose only answer is a stream of what `feed` has; resolves `ended` when that answer is over. */
async function serve(feed: Partial<EventFeed>, lastEventId?: number) {
  const whole: EventFeed = {
    join: () => () => {},
    now: async () => ({ head: 0, removed: 0 }),
    read: async () => [],
    changed: (_after, signal) => once(signal, 'abort').then(() => {}),
    ...feed,
  };
  let over = () => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  server = createServer((_req, raw: ServerResponse) => {
    const res = Object.assign(raw, { status: () => raw }) as unknown as Response;
    const events = { feed: whole, matches: () => true, view: (row: PlacedEvent) => row } as never;
    const caller = { userId: 1, username: 'a', isAdmin: true, readOnly: false, tokenId: 1 };
    const hiddenFrom = async () => ({
      isEmpty: true,
      repository: () => false,
      schedule: () => false,
      only: null,
      named: null,
    });
    void new EventStream({ events, hiddenFrom, res, caller, filter: {}, progress: null, patienceMs: 300 })
      .run(lastEventId)
      .then(over);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, ended };
}

test.each([
  [10, 'ready', 10],
  [9, 'reset', 50],
  [50, 'ready', 50],
  [51, 'reset', 50],
])('starts behind %d, with events up to 10 partly removed: %s at %d', async (given, kind, place) => {
  const { port } = await serve({ now: async () => ({ head: 50, removed: 10 }) }, given);
  const answer = await fetch(`http://127.0.0.1:${port}`);
  const { value } = (await answer.body?.getReader().read()) ?? {};
  expect(Buffer.from(value ?? []).toString()).toContain(`id: ${place}\nevent: ${kind}\n`);
});

test('cuts a reader that takes nothing and buffers little for it', async () => {
  const text = 'x'.repeat(10_000);
  let reads = 0;
  const read = async (after: number) => {
    reads += 1;
    return Array.from({ length: 100 }, (_, n) => event(after + n + 1, text));
  };
  const { port, ended } = await serve({ read });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await ended;
  // A megabyte each: what the kernel takes, and one page.
  expect(reads).toBeLessThan(40);
  socket.destroy();
});
