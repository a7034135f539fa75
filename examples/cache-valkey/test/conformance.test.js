import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { cacheSuite } from '@holdfast/testkit';
import plugin from '../index.js';

/** On a socket, so that no port has to be free. */
const folder = mkdtempSync(join(tmpdir(), 'cache-valkey-'));
const socket = join(folder, 'valkey.sock');
let server;

before(async () => {
  const program = process.env.TEST_REDIS_SERVER || 'redis-server';
  server = spawn(program, ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder]);
  for await (const text of server.stdout.iterator({ destroyOnReturn: false }))
    if (/ready to accept connections/i.test(text)) break;
  server.stdout.resume();
});
after(async () => {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function open() {
  const log = { debug() {} };
  const cache = await plugin.create({ configuration: plugin.configuration.parse({ url: socket }), log });
  await cache.clear();
  return { cache, close: () => cache.stop() };
}

for (const { name, run } of cacheSuite({ open })) test(name, run);

test('reports a missing server', async () => {
  const configuration = { url: `${socket}.none` };
  const cache = await plugin.create({ configuration, log: { debug() {} } });
  const answer = await Promise.race([cache.health(), pause(5000, null)]);
  cache.stop();
  if (!answer?.startsWith('Valkey does not answer')) throw new Error(`Unexpected answer: ${answer}`);
});
