import { createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import { afterEach, expect, it, vi } from 'vitest';
import { examineMongo } from '../src/examine-mongo.js';
import plugin from '../src/index.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server of MongoDB 4.0, as far as its greeting goes. */
async function oldServer(): Promise<string> {
  const hello = {
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    readOnly: false,
    ok: 1,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    minWireVersion: 0,
    maxWireVersion: 7,
  };
  const greet = (socket: Socket, data: Buffer) => {
    const isQuery = data.readInt32LE(12) === 2004;
    const document = Buffer.from(BSON.serialize(hello));
    const body = Buffer.concat([isQuery ? Buffer.alloc(20) : Buffer.alloc(5), document]);
    if (isQuery) body.writeInt32LE(1, 16);
    const head = Buffer.alloc(16);
    head.writeInt32LE(16 + body.length, 0);
    head.writeInt32LE(data.readInt32LE(4), 8);
    head.writeInt32LE(isQuery ? 1 : 2013, 12);
    socket.write(Buffer.concat([head, body]));
  };
  const server = createServer((socket) => {
    closing.push(() => socket.destroy());
    socket.on('error', () => {}).on('data', (data) => greet(socket, data));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `mongodb://127.0.0.1:${(server.address() as { port: number }).port}/x`;
}

const sentence = /^MongoDB 4\.0 is too old for timers: use MongoDB 4\.4 or newer\./;

it('names both versions when the server is too old', async () => {
  const uri = await oldServer();
  expect((await examineMongo(uri)).findings[0]).toMatchObject({
    status: 'failed',
    text: expect.stringMatching(sentence),
  });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const timers = await plugin.create({ configuration: { uri }, log } as never);
  closing.push(() => timers.stop?.());
  await timers.start?.();
  await vi.waitFor(async () => expect(await timers.health?.()).toMatch(sentence), { timeout: 10_000 });
});
