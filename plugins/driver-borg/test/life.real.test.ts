import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RepositoryTarget, ToolProcess } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeyFiles } from '../src/key-files.js';
import { identify, isAlive } from '../src/process-identity.js';
import { makeDriver, stopAndRemove } from './make-driver.js';

/** Without the options of the test runner, which lead to sources. */
const asNode = { execArgv: [] };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
});
afterEach(() => stopAndRemove(folder));

const target = (): RepositoryTarget => ({
  uid: 'one',
  location: join(folder, 'repository'),
  passphrase: 'a secret',
  keyFile: null,
  remoteToolPath: null,
});

async function script(name: string, lines: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${lines.join('\n')}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('the tool itself', () => {
  test('missing: fails every operation with the reason', async () => {
    const driver = await makeDriver(join(folder, 'data'), join(folder, 'no-borg'));
    await expect(driver.version()).rejects.toMatchObject({ kind: 'tool_missing' });
    await expect(driver.listArchives(target(), {})).rejects.toMatchObject({ kind: 'tool_missing' });
    await expect(driver.init(target(), { encryption: 'none' })).rejects.toMatchObject({
      kind: 'tool_missing',
    });
    expect(await readdir(folder)).not.toContain('repository');
  });

  test('too old, then replaced while we run', async () => {
    const binary = await script('borg', ['echo borg 1.1.17']);
    const driver = await makeDriver(join(folder, 'data'), binary);
    await expect(driver.open(target(), {})).rejects.toMatchObject({ kind: 'tool_too_old' });
    await script('borg', ['exec borg "$@"']);
    await expect(driver.open(target(), {})).rejects.toMatchObject({ kind: 'repository_missing' });
  });

  test('reports its first answer without delaying the health check', async () => {
    const binary = await script('borg', ['sleep 1', 'echo borg 1.1.17']);
    const driver = await makeDriver(join(folder, 'data'), binary);
    const began = performance.now();
    expect(await driver.health?.()).toBeNull();
    expect(performance.now() - began).toBeLessThan(900);
    await expect(driver.version()).rejects.toMatchObject({ kind: 'tool_too_old' });
    expect(await driver.health?.()).toMatch(/1\.1\.17 is too old/);
  });

  test('asked in advance, and hanging, ends with the driver', async () => {
    const asked = join(folder, 'asked');
    const binary = await script('borg', [`echo $$ > ${asked}`, 'exec sleep 25']);
    const driver = await makeDriver(join(folder, 'data'), binary);
    await expect.poll(() => readFile(asked, 'utf8').catch(() => ''), { timeout: 60_000 }).toMatch(/\n/);
    const tool = identify(Number(await readFile(asked, 'utf8')));
    await driver.stop?.();
    await expect.poll(() => isAlive(tool)).toBe(false);
  });

  test('is not started after an abort in the last check', async () => {
    const begun = join(folder, 'begun');
    const lines = ['[ "$1" = --version ] && exec borg --version', `touch ${begun}`, 'exit 2'];
    const driver = await makeDriver(join(folder, 'data'), await script('borg', lines));
    const abort = new AbortController();
    const options = { signal: abort.signal, beforeStart: () => abort.abort() };
    await expect(driver.listArchives(target(), {}, options)).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(stat(begun)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('keeps our variables out of its environment', async () => {
    process.env.HOLDFAST_TEST_SECRET = 'inherited';
    try {
      const binary = await script('borg', [
        '[ "$1" = --version ] && exec borg --version',
        'env >&2',
        'exit 2',
      ]);
      const driver = await makeDriver(join(folder, 'data'), binary);
      const lines: string[] = [];
      const onLog = ({ text }: { text: string }) => lines.push(text);
      await expect(driver.open(target(), {}, { onLog })).rejects.toMatchObject({ kind: 'failed' });
      const names = lines.map((line) => line.split('=')[0] as string).toSorted();
      const expected = [
        'BORG_BASE_DIR',
        'BORG_EXIT_CODES',
        'BORG_PASSPHRASE_FD',
        'HOME',
        'LANG',
        'PATH',
        'TZ',
      ];
      expect(names).toEqual(expect.arrayContaining(expected));
      expect(names.filter((name) => !/^(BORG_|HOME|LANG|LC_ALL|PATH|PWD|TZ|_$)/.test(name))).toEqual([]);
      expect(lines.join('\n')).not.toMatch(/inherited|a secret/);
    } finally {
      delete process.env.HOLDFAST_TEST_SECRET;
    }
  });
});

describe('its end', () => {
  test('ends a tool that ignores every signal except SIGKILL', async () => {
    const body = ["trap '' INT TERM", 'echo ready >&2', 'while :; do sleep 0.2; done'];
    const binary = await script('borg', ['[ "$1" = --version ] && exec borg --version', ...body]);
    const driver = await makeDriver(join(folder, 'data'), binary);
    const controller = new AbortController();
    let running: ToolProcess | undefined;
    const options = {
      signal: controller.signal,
      onProcess: (process: ToolProcess) => {
        running = process;
      },
      onLog: () => controller.abort(),
    };
    const listing = driver.listArchives(target(), {}, options);
    await expect(listing).rejects.toMatchObject({ kind: 'cancelled' });
    expect(running && isAlive(running)).toBe(false);
  });

  test('happens when the service dies', async () => {
    const child = fork(join(import.meta.dirname, 'dying-service.mjs'), [folder], asNode);
    const [tool] = (await once(child, 'message')) as [ToolProcess];
    expect(isAlive(tool)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => isAlive(tool), { timeout: 60_000 }).toBe(false);
  });

  test('happens when the service dies before it began', async () => {
    const child = fork(join(import.meta.dirname, 'dying-service.mjs'), [folder, 'unnoted'], asNode);
    const [tool] = (await once(child, 'message')) as [ToolProcess];
    expect(isAlive(tool)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => isAlive(tool), { timeout: 60_000 }).toBe(false);
    const traces = await readdir(join(folder, 'repository'));
    expect(traces.filter((name) => name.startsWith('lock'))).toEqual([]);
  });
});

describe('key files', () => {
  test('are private and exist only during use', async () => {
    const keys = new KeyFiles(folder);
    const key = await keys.make('BORG_KEY x');
    expect(await readFile(key.path, 'utf8')).toBe('BORG_KEY x');
    expect((await stat(key.path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(key.path, '..'))).mode & 0o777).toBe(0o700);
    await key.remove();
    expect(await key.read()).toBeNull();
  });

  test('removes those of dead processes and keeps those of living ones', async () => {
    const keys = new KeyFiles(folder);
    const mine = await keys.make('mine');
    const other = spawn('sleep', ['60']);
    try {
      const { pid, startedAt, host } = identify(other.pid as number);
      const alive = `${host}.${pid}.${startedAt}`;
      const names = [alive, `${host}.${pid}.1`, `another-boot.${pid}.${startedAt}`, 'rubbish'];
      for (const name of names) await mkdir(join(folder, '.keys', name, 'x'), { recursive: true });
      await new KeyFiles(folder).sweep();
      const left = await readdir(join(folder, '.keys'));
      expect(left).toContain(alive);
      expect(left).toHaveLength(2);
      expect(await mine.read()).toBe('mine');
    } finally {
      other.kill('SIGKILL');
    }
  });
});
