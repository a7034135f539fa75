import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

const headersSeconds = 6;
const requestSeconds = 7;
const most = 1_200;

let server: TestServer;
let admin: Api;
let address: { host: string; port: number };
const sockets = new Set<Socket>();
let followed: { reader: ReadableStreamDefaultReader<Uint8Array>; since: number; text: string };

beforeAll(async () => {
  server = await TestServer.start({
    env: {
      HEADERS_TIMEOUT_SECONDS: `${headersSeconds}`,
      REQUEST_TIMEOUT_SECONDS: `${requestSeconds}`,
      MAX_CONNECTIONS: `${most}`,
    },
  });
  admin = await server.login();
  const { hostname: host, port } = new URL(server.api.baseUrl);
  address = { host, port: Number(port) };
  const headers = { authorization: `Bearer ${admin.token}` };
  const stream = await fetch(`${server.api.baseUrl}/api/events`, { headers });
  if (!stream.body) throw new Error('there is no stream');
  followed = { reader: stream.body.getReader(), since: performance.now(), text: '' };
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.remove();
});

/** A connection, what came back on it so far, and its end. */
async function open() {
  const socket = connect(address);
  sockets.add(socket);
  await once(socket, 'connect');
  const made = { socket, text: '', ended: false };
  socket.setEncoding('utf8').on('data', (text) => {
    made.text += text;
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    made.ended = true;
    sockets.delete(socket);
  });
  return made;
}

const ended = (some: { ended: boolean }[]) =>
  waitFor(() => some.every((each) => each.ended), { what: 'the end of the connections', timeoutMs: 60_000 });

/** Sends a little again and again until the connection ends. */
function trickle(socket: Socket, piece: string, everyMs: number) {
  const timer = setInterval(() => socket.writable && socket.write(piece), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/**
 * Sends as fast as it is taken until the connection ends. What the service answers gets its turn: while every piece is
 * taken at once, nothing else would run here.
 */
function pour(socket: Socket, piece: string) {
  const more = () => {
    if (!socket.writable) return;
    if (socket.write(piece)) setImmediate(more);
    else socket.once('drain', () => setImmediate(more));
  };
  more();
}

const head = (path: string, more: string[] = []) =>
  [
    ...[`POST ${path} HTTP/1.1`, 'Host: here', `Authorization: Bearer ${admin.token}`],
    ...['Content-Type: application/json', ...more, '', ''],
  ].join('\r\n');

const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length;

describe('the service survives and closes', () => {
  let filesBefore = 0;
  beforeAll(() => {
    filesBefore = openFiles();
  });

  const isWell = async () => {
    await waitFor(() => openFiles() <= filesBefore + 5, { what: 'closed connections', timeoutMs: 60_000 });
    expect((await server.api.get('/health')).body).toMatchObject({ status: 'healthy', ready: true });
  };

  it('closes 1,000 connections that send nothing', async () => {
    const silent = await Promise.all(Array.from({ length: 1_000 }, open));
    let beside = 0;
    for (let n = 0; n < 20; n++) {
      expect((await admin.get('/api/repositories/')).status).toBe(200);
      beside = Math.max(beside, silent.filter((each) => !each.ended).length);
    }
    expect(beside).toBeGreaterThan(500);
    await ended(silent);
    for (const { text } of silent)
      expect(text).toMatch(/^HTTP\/1.1 408 [\s\S]*"detail":"The request was not completed/);
    await isWell();
  });

  it('closes the longest idle connections above the limit', async () => {
    const many = await Promise.all(Array.from({ length: most + 50 }, open));
    await waitFor(() => many.some((each) => each.ended && each.text === ''), { what: 'a refused one' });
    expect(server.log).toContain('too many connections: closing those that have been idle longest');
    for (let n = 0; n < 20; n++) {
      await Promise.all(Array.from({ length: 50 }, open));
      expect((await server.api.get('/health/ready')).status).toBe(200);
    }
    for (const { socket } of many) socket.destroy();
    await isWell();
  });

  it('refuses a flood of headers', async () => {
    const made = await open();
    made.socket.write('GET /api/repositories/ HTTP/1.1\r\nHost: here\r\n');
    pour(made.socket, `X-More: ${'x'.repeat(1000)}\r\n`);
    await ended([made]);
    expect(made.text).toMatch(/^HTTP\/1.1 431 [\s\S]*"detail":"The URL and the headers are too large."/);
    await isWell();
  });

  it('closes connections with slow headers or a slow body', async () => {
    const headers = await open();
    headers.socket.write('GET /api/repositories/ HTTP/1.1\r\nHost: here\r\n');
    trickle(headers.socket, 'X-More: x\r\n', 200);
    const body = await open();
    body.socket.write(head('/api/schedule/validate-cron', ['Content-Length: 1000']));
    trickle(body.socket, ' ', 200);
    await ended([headers, body]);
    expect(headers.text).toMatch(/^HTTP\/1.1 408 /);
    expect(body.text).toMatch(/^HTTP\/1.1 408 /);
    await isWell();
  });

  it('refuses an endless body that is too large', async () => {
    const made = await open();
    made.socket.write(head('/api/schedule/validate-cron', ['Transfer-Encoding: chunked']));
    const began = performance.now();
    pour(made.socket, `4000\r\n${' '.repeat(0x4000)}\r\n`);
    await ended([made]);
    expect(made.text).toMatch(/^HTTP\/1.1 413 [\s\S]*"detail":"The body is larger than 1 MB."/);
    expect(performance.now() - began).toBeLessThan(requestSeconds * 1000);
    await isWell();
  });

  it('ends an endless upload', async () => {
    const made = await open();
    const form = ['Transfer-Encoding: chunked'];
    const text = head('/api/repositories/1/keyfile', form).replace(
      'application/json',
      'multipart/form-data; boundary=b',
    );
    made.socket.write(text);
    const part = '--b\r\nContent-Disposition: form-data; name="keyfile"; filename="k"\r\n\r\n';
    made.socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    pour(made.socket, `4000\r\n${'x'.repeat(0x4000)}\r\n`);
    await ended([made]);
    expect(made.text).toMatch(/^HTTP\/1.1 413 [\s\S]*"detail":"The file may have at most 64 KB."/);
    await isWell();
  });

  it('ends an endless body that is not read', async () => {
    const made = await open();
    made.socket.write(head('/health', ['Transfer-Encoding: chunked']).replace('POST', 'GET'));
    pour(made.socket, `4000\r\n${' '.repeat(0x4000)}\r\n`);
    await ended([made]);
    expect(made.text).toMatch(/^HTTP\/1.1 200 /);
    await isWell();
  });
});

it('sends events throughout, longer than a request may last', async () => {
  while (
    performance.now() - followed.since < 2 * requestSeconds * 1000 ||
    !followed.text.includes('heartbeat')
  ) {
    const piece = await followed.reader.read();
    expect(piece.done).toBe(false);
    followed.text += Buffer.from(piece.value ?? '').toString();
  }
  await followed.reader.cancel();
});
