import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ProgramHost } from '@holdfast/plugin-api/source';
import { describe, expect, it } from 'vitest';
import { hostOf } from '../../src/backup/sources/index.js';
import { makeScene } from '../hooks/hook-scene.js';

/** This machine, as far as programs go. */
const programs: ProgramHost = {
  name: 'this server',
  connect: () => Promise.reject(new Error('not in this scene')),
  async run([program = '', ...words], { signal, stdout = 'pipe' }) {
    const stdio = ['pipe', stdout, 'pipe'] as StdioOptions;
    const child = spawn(program, words, {
      stdio,
      ...(signal && { signal }),
    }) as ChildProcessWithoutNullStreams;
    child.on('error', () => {});
    const exit = once(child, 'close').then(([code, ended]) => ({ code, signal: ended }));
    return { stdin: child.stdin, stdout: child.stdout ?? Readable.from([]), stderr: child.stderr, exit };
  },
};

const logged: string[] = [];
const { signal } = new AbortController();
const host = hostOf(
  { ...makeScene().needs, programs },
  { connectionId: null, container: null },
  { signal, log: (line) => logged.push(line) },
);

describe('a host of programs', () => {
  it('passes odd values to a program, and hides them from its arguments', async () => {
    const value = `it's "a"\n$(id) \\0 \\ 数 \n`;
    const script = 'printf "%s|" "$VALUE" "$@"; tr "\\0" "\\n" </proc/$$/cmdline >&2; cat';
    const { code, stdout, stderr } = await (await host).run({
      argv: ['sh', '-c', script, 'sh', value],
      env: { VALUE: value, OTHER: '' },
    });
    expect([code, stdout]).toEqual([0, `${value}|${value}|`]);
    expect(stderr).not.toContain('VALUE=');
  });

  it('gives a program its input', async () => {
    const input = Readable.from([Buffer.from('one\n'), Buffer.from('\ntwo')]);
    const argv = ['sh', '-c', 'printf %s: "$A"; cat'];
    expect((await (await host).run({ argv, env: { A: 'a' }, input })).stdout).toBe('a:one\n\ntwo');
    expect((await (await host).run({ argv, input: '\nx' })).stdout).toBe(':\nx');
  });

  it('lets a program write to a descriptor', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-host-'));
    const path = join(folder, 'dump');
    const to = openSync(path, 'w');
    const { output, code } = await (await host).open({ argv: ['printf', 'all of it'] }, signal, to);
    expect([await output.toArray(), await code, readFileSync(path, 'utf8')]).toEqual([[], 0, 'all of it']);
    closeSync(to);
    rmSync(folder, { recursive: true });
  });

  it('rejects when the input breaks, even if the program ends well', async () => {
    const input = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('The archive is damaged');
      })(),
    );
    await expect((await host).run({ argv: ['cat'], input })).rejects.toThrow('The archive is damaged');
  });

  it('reports the exit code of a program that does not read all its input', async () => {
    const input = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(100_000)));
    const { code } = await (await host).run({ argv: ['sh', '-c', 'exit 3'], input });
    expect([code, input.destroyed]).toEqual([3, true]);
  });
});
