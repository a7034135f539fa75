import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { sourceSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, test } from 'vitest';
import plugin from '../index.js';

const password = 'sesame-4711';
const folder = mkdtempSync(join(tmpdir(), 'source-redis-'));

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return `${port}`;
}

describe('the source suite', () => {
  let server: ChildProcess;
  const settings: Record<string, string> = { password };
  beforeAll(async () => {
    settings.port = await freePort();
    const words = [
      '--bind',
      '127.0.0.1',
      '--port',
      settings.port,
      '--dir',
      folder,
      '--requirepass',
      password,
    ];
    // Otherwise each dump waits 5 s for others.
    const atOnce = ['--repl-diskless-sync-delay', '0'];
    server = spawn(process.env.TEST_REDIS_SERVER || 'redis-server', [...words, ...atOnce, '--save', '']);
    const output = server.stdout as Readable;
    for await (const text of output.iterator({ destroyOnReturn: false }))
      if (/ready to accept connections/i.test(`${text}`)) break;
    output.resume();
    const env = { ...process.env, REDISCLI_AUTH: password };
    execFileSync('redis-cli', ['-p', settings.port, 'SET', 'name', 'Ann'], { env });
  });
  afterAll(() => {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const failing = {
    get 'a wrong password'() {
      return { ...settings, password: 'not the password' };
    },
    'a server that is not there': { port: '1' },
  };
  const open = async () => ({ source: await plugin.create({} as never), close: async () => {} });
  const without = ['find', 'restore'] as const;
  for (const { name, run } of sourceSuite({ open, settings, failing, secrets: [password], without }))
    test(name, run);
});
