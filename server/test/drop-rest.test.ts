import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { dropRest } from '../src/http/middleware/drop-rest.js';

let server: Server;
afterEach(() => server.close());

async function serve(afterMs: number): Promise<number> {
  const app = express();
  app.use(dropRest(afterMs));
  app.post('/', (_req, res) => void res.status(413).send('too long'));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test.each(['close', 'keep-alive'])(
  'lets a client send on after a refusal with connection %s',
  async (how) => {
    const socket = connect(await serve(60_000), '127.0.0.1');
    const errors: unknown[] = [];
    socket.on('error', (error) => errors.push(error));
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: ${how}\r\nContent-Length: 50000000\r\n\r\n`);
    const piece = 'x'.repeat(1_000_000);
    for (let sent = 0; sent < 50 && errors.length === 0; sent += 1) {
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      await turn();
    }
    while (!answer.includes('too long') && errors.length === 0) await once(socket, 'data');
    expect([answer.slice(0, 12), errors]).toEqual(['HTTP/1.1 413', []]);
    socket.destroy();
  },
);

test('closes the connection of a client that never ends its body', async () => {
  const socket = connect(await serve(20), '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\nx');
  await once(socket, 'close');
});
