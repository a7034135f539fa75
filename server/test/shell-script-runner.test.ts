import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ScriptLine, ScriptOrder } from '@holdfast/core/server';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shellScriptRunner } from '../src/adapters/scripts/shell-script-runner.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-scripts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (content: string, order: Partial<ScriptOrder> = {}) =>
  shellScriptRunner.run({ content, environment: {}, timeoutSeconds: 20, ...order });

const isAlive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};
const gone = async (pid: number) => {
  for (let left = 100; left > 0 && isAlive(pid); left--) await pause(20);
  return !isAlive(pid);
};

it('runs a script with bash and returns its output and exit code', async () => {
  const lines: ScriptLine[] = [];
  const result = await run('[[ a == a ]] && echo out; echo err >&2; printf "no end"; exit 3', {
    onLine: (line) => lines.push(line),
  });
  expect(result).toMatchObject({
    end: 'exited',
    exitCode: 3,
    problem: null,
    stdout: 'out\nno end\n',
    stderr: 'err\n',
  });
  expect(lines).toContainEqual({ stream: 'stderr', text: 'err' });
});

it('gives a clean environment, and values as they are', async () => {
  process.env.SECRET_KEY_OF_TEST = 'must not be seen';
  const odd = `it's "quoted" $(touch ${folder}/pasted) \`id\`\nsecond line\ttab`;
  const { stdout } = await run('printf "%s" "$VALUE"; echo; env | cut -d= -f1 | sort', {
    environment: { VALUE: odd },
  });
  delete process.env.SECRET_KEY_OF_TEST;
  expect(stdout).toContain(odd);
  expect(readdirSync(folder)).toEqual([]);
  const names = stdout.slice(odd.length).trim().split('\n');
  expect(names.filter((name) => /^[A-Z]/.test(name) && name !== 'VALUE')).toEqual(
    ['HOME', 'LANG', 'PATH', 'PWD', 'SHLVL'].filter((name) => names.includes(name)),
  );
});

it('takes line ends of Windows and a byte order mark', async () => {
  const script = '\ufeff#!/bin/bash\r\nif true; then\r\n  echo yes\r\nfi\r\n';
  expect(await run(script)).toMatchObject({ exitCode: 0, stdout: 'yes\n' });
});

it('runs another interpreter when the first line names one', async () => {
  const script = '#!/usr/bin/env node\nconsole.log(typeof process.version);';
  expect(await run(script)).toMatchObject({ exitCode: 0, stdout: 'string\n' });
  expect(await run('#!/no/such/interpreter\n1')).toMatchObject({ end: 'exited', exitCode: 127 });
});

it('gives nothing to read', async () => {
  expect(await run('cat; read -r line || echo nothing')).toMatchObject({ exitCode: 0, stdout: 'nothing\n' });
});

it('kills the process group after the timeout even if it ignores SIGTERM', async () => {
  const script = `trap '' TERM; (trap '' TERM; echo $BASHPID > ${folder}/child; sleep 1000) & wait; sleep 1000`;
  const result = await run(script, { timeoutSeconds: 1 });
  expect(result).toMatchObject({ end: 'timed_out', exitCode: -1 });
  expect(result.seconds).toBeLessThan(10);
  expect(await gone(Number(readFileSync(join(folder, 'child'), 'utf8')))).toBe(true);
});

it('does not wait for a daemon that holds its output, and leaves it alive', async () => {
  const result = await run(
    `(while sleep 0.05; do echo still here || exit; done) & echo $! > ${folder}/daemon; exit 0`,
  );
  expect(result).toMatchObject({ end: 'exited', exitCode: 0 });
  expect(result.seconds).toBeLessThan(5);
  const pid = Number(readFileSync(join(folder, 'daemon'), 'utf8'));
  await pause(300);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid);
  expect(await gone(pid)).toBe(true);
});

it('cuts one endless line', async () => {
  const { stdout } = await run('head -c 30000000 /dev/zero | tr "\\0" x; echo; echo after');
  expect(stdout.length).toBeLessThan(20_000);
  expect(stdout.endsWith('x\nafter\n')).toBe(true);
});

it('begins only when its process was noted, and never when that fails', async () => {
  const script = `touch ${folder}/ran`;
  const failing = run(script, {
    onProcess: async () => {
      await pause(100);
      throw new Error('not noted');
    },
  });
  await expect(failing).rejects.toThrow('not noted');
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  let early = true;
  const noted = run(script, {
    onProcess: async () => {
      await pause(100);
      early = existsSync(join(folder, 'ran'));
    },
  });
  await noted;
  expect([early, existsSync(join(folder, 'ran'))]).toEqual([false, true]);
});

it('ends when it is aborted, also before it began', async () => {
  const controller = new AbortController();
  const aborted = run('sleep 1000', { signal: controller.signal, onProcess: async () => controller.abort() });
  expect(await aborted).toMatchObject({ end: 'aborted', exitCode: -1 });
  const later = new AbortController();
  const running = run('echo begun; sleep 1000', { signal: later.signal, onLine: () => later.abort() });
  expect(await running).toMatchObject({ end: 'aborted', stdout: 'begun\n' });
});

it('ends a process that was left behind, and only that one', async () => {
  let noted: ToolProcess | undefined;
  const running = run('sleep 1000', {
    onProcess: async (process) => {
      noted = process;
    },
  });
  while (!noted) await pause(10);
  const { endProcess } = shellScriptRunner;
  expect(await endProcess({ ...noted, startedAt: '1' })).toBe('gone');
  expect(await endProcess({ ...noted, host: 'another start' })).toBe('elsewhere');
  expect(isAlive(noted.pid)).toBe(true);
  expect(await endProcess(noted)).toBe('ended');
  expect(await running).toMatchObject({ exitCode: 128 + 15 });
});

it('leaves no file behind', async () => {
  const named = () => readdirSync(tmpdir()).filter((name) => name.startsWith('holdfast-script-'));
  const { stdout } = await run(`ls ${tmpdir()} | grep -c '^holdfast-script-' || true`);
  expect([stdout.trim(), named()]).toEqual(['0', []]);
});
