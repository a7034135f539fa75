import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RepositoryTarget, ToolLogLine } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isProvablyDead, runsAs } from '../src/locks/dead-holders.js';
import { deadIdentities, takeLockIdentity } from '../src/locks/lock-identity.js';
import { makeDriver, stopAndRemove } from './make-driver.js';

let folder: string;
let services: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map(end));
  await stopAndRemove(folder);
});

const end = async (service: ChildProcess) => {
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGKILL');
  await once(service, 'exit');
};

describe('a holder', () => {
  const facts = { own: 'holdfast-own', dead: new Set(['holdfast-before']), runs: (pid: number) => pid === 7 };
  test.each([
    ['our own, running', 'holdfast-own', 7, false],
    ['our own, gone, or its number is of another program', 'holdfast-own', 8, true],
    ['of a service before us that is dead, whoever has its number now', 'holdfast-before', 7, true],
    ['of a service beside us', 'holdfast-beside', 8, false],
    ['of another installation', 'holdfast-far', 8, false],
    ['of borg by hand on this machine', `${hostname()}@1`, 8, false],
  ])('%s', (_, host, pid, dead) => {
    expect(isProvablyDead({ host, pid }, facts)).toBe(dead);
  });

  test('is a process of the identity, no other one with its number', async () => {
    const environment = { ...process.env, BORG_HOST_ID: 'holdfast-own' };
    const holder = spawn('sleep', ['60'], { env: environment });
    services.push(holder);
    await once(holder, 'spawn');
    expect(runsAs('holdfast-own', holder.pid as number)).toBe(true);
    expect(runsAs('holdfast-other', holder.pid as number)).toBe(false);
    await end(holder);
    expect(runsAs('holdfast-own', holder.pid as number)).toBe(false);
  });
});

describe('the identity for locks', () => {
  test('is used by one living service, and by the next one after its death', async () => {
    const slots = join(folder, 'slots');
    const first = await takeLockIdentity(slots);
    const second = await takeLockIdentity(slots);
    expect(first?.id).toMatch(/^holdfast-[0-9a-f-]{36}$/);
    expect(second?.id).not.toBe(first?.id);
    expect(await deadIdentities(slots)).toEqual(new Set());
    const copy = join(folder, 'copy');
    await cp(slots, copy, { recursive: true });
    expect((await takeLockIdentity(copy))?.id).not.toBe(first?.id);
  });
});

const target = (): RepositoryTarget => ({
  uid: 'one',
  location: join(folder, 'repository'),
  passphrase: 'a secret',
  keyFile: null,
  remoteToolPath: null,
});
const data = () => join(folder, 'data');
const lockFolder = () => join(folder, 'repository', 'lock.exclusive');
const input = (name: string) => ({
  name,
  comment: '',
  sources: [join(folder, 'source')],
  excludePatterns: [],
  compression: 'lz4',
  customFlags: [],
});

async function makeRepository() {
  await mkdir(join(folder, 'source'));
  await writeFile(join(folder, 'long'), '');
  await writeFile(join(folder, 'source', 'file'), randomBytes(8 * 1024 ** 2));
  const driver = await makeDriver(join(folder, 'maker'));
  await driver.init(target(), { encryption: 'repokey' });
  await driver.createArchive(target(), input('first'));
}

/** In a PID namespace of its own: a container; its end kills all that is in it. Null: this machine's name. */
async function startService(what: 'read' | 'write', dataFolder: string, name: string | null) {
  const own = ['--pid', '--fork', '--kill-child', '--mount-proc', ...(name === null ? [] : ['--uts'])];
  const rights = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  // Numbers that no process has here: else one of them could be taken for the holder.
  const high = 'echo $(($(cat /proc/sys/kernel/pid_max) - 1000)) > /proc/sys/kernel/ns_last_pid';
  const script = `${name === null ? '' : `hostname ${name} && `}${high} && exec "$@"`;
  const args = [process.execPath, join(import.meta.dirname, 'holding-service.mjs'), folder, dataFolder, what];
  const service = spawn('unshare', [...rights, ...own, '--', 'sh', '-c', script, 'sh', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  services.push(service);
  await once(service.stdout as NonNullable<typeof service.stdout>, 'data');
  return service;
}

/** All that was in the namespace is dead when the kernel lets go of its file. */
async function kill(service: ChildProcess) {
  await end(service);
  const slots = join(data(), '.lock-identities');
  await expect.poll(async () => (await deadIdentities(slots)).size, { timeout: 60_000 }).toBe(1);
}

describe('the lock of a tool that was killed with its service', () => {
  test.each(['write', 'read'] as const)(
    'does not block the next one under another machine name (%s)',
    async (what) => {
      await makeRepository();
      const service = await startService(what, data(), 'c1');
      await kill(service);
      const said: ToolLogLine[] = [];
      const driver = await makeDriver(data());
      await driver.createArchive(target(), input('second'), { onLog: (line) => said.push(line) });
      const { value } = await driver.listArchives(target(), {});
      expect(value.map(({ name }) => name)).toContain('second');
      expect(said.map(({ text }) => text).join('\n')).toMatch(/lock of a killed Borg process|stale .*lock/);
    },
    60_000,
  );

  test('is recognised even if another program has its process id', async () => {
    await makeRepository();
    await kill(await startService('write', data(), 'c1'));
    const [name = ''] = await readdir(lockFolder());
    const reused = name.replace(/\.\d+-/, `.${process.pid}-`);
    await rename(join(lockFolder(), name), join(lockFolder(), reused));
    const roster = join(folder, 'repository', 'lock.roster');
    const held = (await readFile(roster, 'utf8')).replace(/, \d+,/, `, ${process.pid},`);
    await writeFile(roster, held.replace('"exclusive"', '"shared"'));
    const said: string[] = [];
    const driver = await makeDriver(data());
    expect(await driver.lockHolder(target())).toBeNull();
    await driver.createArchive(target(), input('second'), { onLog: ({ text }) => said.push(text) });
    expect(said.join('\n')).toContain(
      `of a killed Borg process (${process.pid}): ${join(folder, 'repository', 'lock')}`,
    );
  }, 60_000);
});

test('keeps the lock of a living holder in another PID namespace', async () => {
  await makeRepository();
  await startService('write', join(folder, 'elsewhere'), null);
  const before = await readdir(lockFolder());
  const driver = await makeDriver(data());
  await expect(driver.createArchive(target(), input('second'))).rejects.toMatchObject({ kind: 'locked' });
  expect(await driver.lockHolder(target())).toMatch(/that is writing/);
  expect(await readdir(lockFolder())).toEqual(before);
}, 60_000);

test('frees the lock of a killed tool at once, even for plain borg', async () => {
  await makeRepository();
  await truncate(join(folder, 'source', 'file'), 64 * 1024 ** 3);
  const driver = await makeDriver(data());
  let pid = 0;
  const killed = driver.createArchive(target(), input('second'), {
    onProcess: (tool) => {
      pid = tool.pid;
    },
    onProgress: () => {
      if (pid !== 0) process.kill(pid, 'SIGKILL');
      pid = 0;
    },
  });
  await expect(killed).rejects.toMatchObject({ message: 'Borg was killed from outside (SIGKILL).' });
  await expect(readdir(lockFolder())).rejects.toMatchObject({ code: 'ENOENT' });
}, 60_000);
