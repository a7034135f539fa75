import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import type { RouteMetadata } from '@holdfast/contracts';
import express from 'express';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sendDownload } from '../src/http/downloads/streams.js';
import { errorHandler } from '../src/http/errors/errors.js';
import { boundDownloads, boundExpensiveCalls } from '../src/http/middleware/bounded-calls.js';
import type { DescribedRoute, Handler, Wrap } from '../src/http/routers/route-handlers.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
const redactor = { protect: () => ({ release() {} }), redact: (text: string) => text };

/** A route behind a bound; `X-User` says who calls. */
async function serve(wrap: Wrap, metadata: Partial<RouteMetadata>, handler: Handler) {
  const route = { metadata: { access: { who: 'any' }, tag: 't', ...metadata } } as DescribedRoute;
  const bounded = wrap(handler, route);
  const app = express();
  app.get('/', (req, res, next) => {
    req.user = { userId: Number(req.get('x-user') ?? 1) } as never;
    bounded({ req, res }).then(({ status, body }) => res.status(status).json(body), next);
  });
  app.use(errorHandler({ log: quiet, redactor }));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = (user = 1, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}/`, { ...init, headers: { 'x-user': `${user}` } });
  return { call, port };
}

const ok: Handler = async () => ({ status: 200, body: {} });

describe('expensive calls', () => {
  test('limits expensive calls per user and minute', async () => {
    const { call } = await serve(boundExpensiveCalls({ expensiveCallsPerMinute: 3 }), { cost: 'high' }, ok);
    for (let n = 0; n < 3; n++) expect((await call()).status).toBe(200);
    const refused = await call();
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds >= 1 && seconds <= 60).toBe(true);
    expect(await refused.json()).toMatchObject({
      detail: expect.stringMatching(/^You made 3 expensive calls within a minute\. Wait \d+ s\.$/),
    });
    expect((await call(2)).status).toBe(200);
  });

  test('does not limit cheap calls', async () => {
    const { call } = await serve(boundExpensiveCalls({ expensiveCallsPerMinute: 1 }), {}, ok);
    for (let n = 0; n < 5; n++) expect((await call()).status).toBe(200);
  });
});

const bounds = { downloads: 3, downloadsOfUser: 2, stalledDownloadSeconds: 3600 };
const download = { download: { contentType: 'application/octet-stream' } };
const file = { fileName: 'a', contentType: 'application/octet-stream' };

/** Downloads that go on until they are let go. */
function held() {
  const streams: Readable[] = [];
  const handler: Handler = async ({ res }) => {
    const stream = new Readable({ read() {} });
    stream.push('a');
    streams.push(stream);
    return sendDownload(res, { ...file, stream });
  };
  return { streams, handler };
}

describe('downloads at a time', () => {
  test('limits downloads per user and in total until one ends', async () => {
    const { streams, handler } = held();
    const { call } = await serve(boundDownloads(bounds), download, handler);
    const first = await call(1);
    await call(1);
    const own = await call(1);
    expect([own.status, own.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await call(2)).status).toBe(200);
    const others = await call(3);
    expect([others.status, others.headers.get('retry-after')]).toEqual([503, '10']);
    streams[0]?.push(null);
    await first.text();
    await vi.waitFor(async () => expect((await call(1)).status).toBe(200), 20_000);
    expect((await call(1)).status).toBe(429);
  });

  test('counts no download that failed or whose client left', async () => {
    const { streams, handler } = held();
    const { call } = await serve(boundDownloads(bounds), download, handler);
    const leaving = new AbortController();
    await call(1, { signal: leaving.signal });
    await call(1);
    expect((await call(1)).status).toBe(429);
    leaving.abort();
    streams[1]?.destroy(new Error('broken'));
    await vi.waitFor(async () => expect((await call(1)).status).toBe(200), 20_000);
    await vi.waitFor(async () => expect((await call(1)).status).toBe(200), 20_000);
    expect((await call(1)).status).toBe(429);
  });

  test('does not count event streams as downloads', async () => {
    const followed = { download: { contentType: 'text/event-stream' } };
    const { handler } = held();
    const { call } = await serve(boundDownloads(bounds), followed, handler);
    for (let n = 0; n < 5; n++) expect((await call(1)).status).toBe(200);
  });

  test('cuts a download with a stalled client, but not with a slow source', async () => {
    const sources: Readable[] = [];
    const handler: Handler = async ({ req, res }) => {
      const slow = req.get('x-user') === '2';
      const piece = Buffer.alloc(1 << 20);
      const stream = new Readable({ read: slow ? () => {} : () => void stream.push(piece) });
      if (slow) stream.push('a');
      sources.push(stream);
      return sendDownload(res, { ...file, stream });
    };
    const { call, port } = await serve(
      boundDownloads({ ...bounds, stalledDownloadSeconds: 1 }),
      download,
      handler,
    );
    const slow = await call(2);
    const lazy = connect(port, '127.0.0.1', () => lazy.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
    lazy.on('error', () => {});
    await vi.waitFor(() => expect(sources).toHaveLength(2), 20_000);
    await vi.waitFor(() => expect(sources[1]?.destroyed).toBe(true), 20_000);
    sources[0]?.push('b');
    sources[0]?.push(null);
    expect(await slow.text()).toBe('ab');
    lazy.destroy();
  });
});
