import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ProgramHost, Source } from '@holdfast/plugin-api/source';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PodmanEngine } from '../../../scripts/services/podman.mjs';
import plugin from '../src/index.js';

let engine: PodmanEngine;
let source: Source;
const signal = new AbortController().signal;
const machine = {
  name: 'this machine',
  async connect(path: string) {
    const socket = connect(path);
    await once(socket, 'connect');
    return socket;
  },
};
const enter = async (name: string): Promise<ProgramHost> => {
  const inside = await source.enter?.(name, { host: machine, signal, log: () => {} } as never);
  if (!inside) throw new Error('It does not enter containers.');
  return inside;
};

/** Sends back what it gets; on port 2 one text, and then it hangs up. */
const echo = `
  const { createServer } = require('node:net');
  createServer((socket) => socket.pipe(socket)).listen(1, '127.0.0.1');
  createServer((socket) => socket.end('bye')).listen(2, '127.0.0.1');`;
const programs = (name: string) => engine.podman('top', name, 'comm').split('\n').slice(1);

/** A container whose PATH only has these programs. */
function run(name: string, tools?: string): void {
  const options = [
    '-v',
    `${process.execPath}:/node:ro`,
    ...(tools ? ['-v', `${tools}:/tools:ro`, '-e', 'PATH=/tools'] : []),
  ];
  engine.container(name, { options, command: ['/node', '-e', echo] });
}

beforeAll(async () => {
  engine = await PodmanEngine.start();
  source = (await plugin.create({ configuration: { socket: engine.socket } } as never)) as Source;
  run('app');
});
afterAll(() => engine?.remove());

/** Once the program in the container listens. */
const connected = (inside: ProgramHost, address: string): Promise<Duplex> =>
  vi.waitUntil(() => inside.connect(address, {}).catch(() => null), { timeout: 60_000, interval: 50 });

test('sends and receives bytes as they are', async () => {
  const inside = await enter('app');
  const connection = await connected(inside, '127.0.0.1:1');
  const bytes = randomBytes(3_000_000);
  connection.write(bytes);
  const got: Buffer[] = [];
  let size = 0;
  for await (const piece of connection) {
    got.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size === bytes.length) break;
  }
  expect(Buffer.concat(got).equals(bytes)).toBe(true);
});

test('leaves no program behind when a connection is closed', async () => {
  const inside = await enter('app');
  // Several: what nobody waits for stays as a zombie only sometimes.
  for (let times = 0; times < 20; times += 1) {
    const connection = await inside.connect('127.0.0.1:1', {});
    if (times === 0) expect(programs('app').join()).toContain('cat');
    connection.destroy();
  }
  await expect.poll(() => programs('app'), { timeout: 60_000 }).toHaveLength(1);
});

test('ends with the connection of the server', async () => {
  const connection = await (await enter('app')).connect('127.0.0.1:2', {});
  expect(String(await buffer(connection))).toBe('bye');
  await expect.poll(() => programs('app'), { timeout: 60_000 }).toHaveLength(1);
});

test.each(['127.0.0.1:3', '$(touch /tmp/run):1', '";touch /tmp/run;":1'])(
  'rejects when nothing listens at %s',
  async (address) => {
    const inside = await enter('app');
    await expect(inside.connect(address, {})).rejects.toThrow(
      `Nothing answers at ${address} in container app.`,
    );
    const { exit } = await inside.run(['test', '-e', '/tmp/run'], {});
    expect((await exit).code).toBe(1);
  },
);

test('uses nc where there is no bash, and says when neither is there', async () => {
  const tools = join(engine.folder, 'tools');
  mkdirSync(tools);
  symlinkSync('/bin/sh', join(tools, 'sh'));
  run('bare', tools);
  const inside = await enter('bare');
  await expect(inside.connect('127.0.0.1:1', {})).rejects.toThrow('container bare has neither bash nor nc');
  const nc = '#!/bin/bash\nexec 3<>"/dev/tcp/$1/$2"\n/bin/cat <&3';
  writeFileSync(join(tools, 'nc'), nc);
  chmodSync(join(tools, 'nc'), 0o755);
  const said = async () => String(await buffer(await inside.connect('127.0.0.1:2', {})));
  await expect.poll(said).toBe('bye');
});
