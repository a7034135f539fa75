import type { Server } from 'node:http';
import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressedAnswers } from '../src/http/middleware/compressed-answers.js';
import { sendLongTexts } from '../src/http/middleware/long-texts.js';

const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `entry ${id}` }));
const shared = Object.freeze(items(600));

let server: Server;
beforeAll(async () => {
  const app = express();
  sendLongTexts(app);
  app.use(compressedAnswers());
  app.get('/list/:count', (req, res) => void res.json(items(Number(req.params.count))));
  app.get('/shared', (_req, res) => void res.json(shared));
  app.get('/download', (_req, res) => {
    res.setHeader('Content-Disposition', 'attachment; filename="list.json"');
    res.json(items(500));
  });
  app.get('/events', (_req, res) => {
    res.setHeader('Content-Type', 'text/event-stream');
    res.end(`data: ${'x'.repeat(5_000)}\n\n`);
  });
  await new Promise<void>((done) => {
    server = app.listen(0, '127.0.0.1', done);
  });
});
afterAll(() => new Promise((done) => server.close(done)));

const ask = (path: string, accepted = 'gzip') =>
  new Promise<{ encoding: string | undefined; body: Buffer }>((done, fail) => {
    const { port } = server.address() as { port: number };
    const options = { host: '127.0.0.1', port, path, headers: { 'accept-encoding': accepted } };
    get(options, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      done({ encoding: answer.headers['content-encoding'], body: Buffer.concat(parts) });
    }).once('error', fail);
  });

test.each(['/list/40', '/list/5000', '/shared'])('%s is compressed and arrives whole', async (path) => {
  const plain = await ask(path, 'identity');
  expect(plain.encoding).toBeUndefined();
  const zipped = await ask(path, 'gzip');
  expect(zipped.encoding).toBe('gzip');
  expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
  expect(zipped.body.length).toBeLessThan(plain.body.length / 3);
  const brotli = await ask(path, 'gzip, br');
  expect(brotli.encoding).toBe('br');
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
});

test.each(['/list/2', '/download', '/events'])('%s is sent as it is', async (path) => {
  expect((await ask(path, 'gzip, br')).encoding).toBeUndefined();
});
