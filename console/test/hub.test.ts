import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Hub } from '../src/hub/hub.js';
import type { FromHub } from '../src/hub/protocol.js';

let server: Server;
let base: string;
let isReady = true;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  isReady = true;
  server = createServer((request, response) => {
    // As behind a proxy that holds back what it gets.
    if (request.url?.startsWith('/api/events')) return;
    if (request.url === '/health/ready') return void response.writeHead(isReady ? 200 : 503).end();
    const session = { access_token: 'token', token_type: 'bearer', expires_in: 900, username: 'anna' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(session));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

it('asks the service at intervals when no event arrives', async () => {
  const told: FromHub[] = [];
  const { port1, port2 } = new MessageChannel();
  new Hub(base).join(port2);
  port1.onmessage = ({ data }: MessageEvent<FromHub>) => told.push(data);
  port1.postMessage({ call: 1, name: 'hello', given: undefined });
  await vi.waitFor(() => expect(told.some((message) => 'answer' in message)).toBe(true));
  const states = () => told.flatMap((message) => ('connection' in message ? message.connection.state : []));
  const resets = () => told.filter((message) => 'event' in message && message.event.event === 'reset').length;
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect([resets(), states().at(-1)]).toEqual([1, 'open']));
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(resets()).toBe(2));
  isReady = false;
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(states().at(-1)).toBe('lost'));
  port1.close();
});
