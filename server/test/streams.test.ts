import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { DriverError } from '@holdfast/plugin-api/driver';
import express, { type ErrorRequestHandler } from 'express';
import { afterEach, expect, test } from 'vitest';
import { type Download, sendDownload } from '../src/http/downloads/streams.js';
import { errorHandler } from '../src/http/errors/errors.js';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
});

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
const redactor = { protect: () => ({ release() {} }), redact: (text: string) => text };

async function serve(download: (ended: (error: unknown) => void) => Download) {
  const app = express();
  const failures: unknown[] = [];
  app.get('/', (_req, res, next) => {
    sendDownload(
      res,
      download((error) => failures.push(error)),
    ).catch(next);
  });
  const remember: ErrorRequestHandler = (error, _req, _res, next) => {
    failures.push(error);
    next(error);
  };
  app.use(remember, errorHandler({ log: quiet, redactor }));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, failures };
}

const file = { fileName: 'a.bin', contentType: 'application/octet-stream' };

test('sends the whole stream with its headers, also when a range was asked for', async () => {
  const content = Buffer.alloc(300_000, 'x');
  const { url } = await serve(() => ({ ...file, stream: Readable.from([content]), size: content.length }));
  const answer = await fetch(url, { headers: { range: 'bytes=0-9' } });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'accept-ranges': 'none',
    'content-length': '300000',
    'content-disposition': 'attachment; filename="a.bin"',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  });
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
});

test('sends an empty file as a normal response', async () => {
  const { url } = await serve(() => ({ ...file, stream: Readable.from([]), size: 0 }));
  const answer = await fetch(url);
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test('HEAD has the headers and does not read the file', async () => {
  const stream = new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });
  const { url } = await serve(() => ({ ...file, stream, size: 10_000_000 }));
  const answer = await fetch(url, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
    200,
    '10000000',
    '',
  ]);
  expect(stream.destroyed).toBe(true);
});

test('text from a generator', async () => {
  async function* lines() {
    yield 'one\n';
    yield 'two ü\n';
  }
  const { url } = await serve(() => ({ ...file, stream: lines() }));
  expect(await (await fetch(url)).text()).toBe('one\ntwo ü\n');
});

test('sends a normal error for a failure before the first byte', async () => {
  const { url } = await serve(() => ({
    ...file,
    size: 5,
    stream: new Readable({
      read: (): void => void 0,
      construct: (done) => done(new DriverError('archive_missing', 'Gone.')),
    }),
  }));
  const answer = await fetch(url);
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { detail: 'Gone.', code: 'tool_archive_missing', params: { problem: 'Gone.' } },
  ]);
  expect(answer.headers.get('content-disposition')).toBeNull();
});

test('cuts the connection for later failures, with and without a known size', async () => {
  for (const size of [undefined, 100_000]) {
    const { url } = await serve(() => ({
      ...file,
      size,
      stream: Readable.from(
        (async function* () {
          yield Buffer.alloc(50_000);
          throw new DriverError('damaged', 'Damaged.');
        })(),
      ),
    }));
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  }
});

test('ends the source when the client disconnects', async () => {
  const closed = deferred();
  const stream = new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
    destroy(error, done) {
      closed.resolve();
      done(error);
    },
  });
  const { url } = await serve(() => ({ ...file, stream }));
  const leaving = new AbortController();
  const answer = await fetch(url, { signal: leaving.signal });
  expect(answer.status).toBe(200);
  leaving.abort();
  await closed.promise;
  expect(stream.destroyed).toBe(true);
});

test('ends the source when the client disconnects before the first byte', async () => {
  const asked = deferred();
  const closed = deferred();
  const stream = new Readable({
    read: () => asked.resolve(),
    destroy(error, done) {
      closed.resolve();
      done(error);
    },
  });
  const { url } = await serve(() => ({ ...file, stream }));
  const leaving = new AbortController();
  const answer = fetch(url, { signal: leaving.signal }).catch(() => 'left');
  await asked.promise;
  leaving.abort();
  expect(await answer).toBe('left');
  await closed.promise;
});

function deferred() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
