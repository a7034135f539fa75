import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tarBytes } from '../src/pull/tar-bytes.js';
import { planTar, tarCommand } from '../src/pull/tar-command.js';
import { TarMessages } from '../src/pull/tar-messages.js';

const names = [
  'a/cache/x',
  'a/file.iso',
  'a/b/file.iso/deep',
  'a/b/cache/y',
  'a/b/[x]',
  'a/b/back\\slash',
  'a/cached',
  'cache/z',
  'a/tagged/CACHEDIR.TAG',
  'a/tagged/inside',
];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-tar-'));
  for (const name of names) {
    mkdirSync(join(folder, 'root', dirname(name)), { recursive: true });
    const text = name.endsWith('.TAG') ? 'Signature: 8a477f597d28d172789f06886806bc55' : name;
    writeFileSync(join(folder, 'root', name), text);
  }
  borg('init', '--encryption=none', `${folder}/repository`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = (text: string) => text.trimEnd().split('\n').sort();

const borg = (...args: string[]) => {
  const env = { PATH: process.env.PATH, HOME: folder, BORG_BASE_DIR: folder, LANG: 'C.UTF-8' };
  const { status, stderr } = spawnSync('borg', args, { env, cwd: join(folder, 'root'), encoding: 'utf8' });
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return stderr;
};

/** What stays, by the tool itself. The patterns are written for paths below the folder. */
const byTool = (flags: string[]): string[] =>
  lines(borg('create', '--dry-run', '--list', ...flags, `${folder}/repository::x`, 'a', 'cache'))
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2));

/** What stays, by tar with our translation. */
function byTar(asked: Parameters<typeof planTar>[0]): string[] {
  const [program, ...args] = tarCommand(planTar(asked), ['/a', '/cache']);
  const here = args.map((word) => (word === '--directory=/' ? `--directory=${join(folder, 'root')}` : word));
  const stream = execFileSync(program as string, here);
  return lines(
    execFileSync('tar', ['-t', '--quoting-style=literal'], { input: stream, encoding: 'utf8' }),
  ).map((path) => path.replace(/\/$/, ''));
}

describe('exclude patterns mean the same for tar and borg', () => {
  test.each([
    ['*.iso'],
    ['*/cache'],
    ['a/cache'],
    ['/a/cache/'],
    ['a/*/cache'],
    ['sh:a/*/cache'],
    ['sh:**/cache'],
    ['sh:a/*.iso'],
    ['sh:**/*.iso'],
    ['pp:a/b'],
    ['pf:a/file.iso'],
    ['a/b/[[]x]'],
    ['pp:a/b/[x]'],
    ['a/b/back\\slash'],
    ['a/cach?'],
  ])('%s', (pattern) => {
    const left = byTar({ excludePatterns: [pattern], customFlags: [] });
    expect(left).toEqual(byTool([`--exclude=${pattern}`]));
    expect(left).not.toEqual(byTool([]));
  });

  test('tagged folders are left out too', () => {
    const customFlags = ['--exclude-caches'];
    expect(byTar({ excludePatterns: [], customFlags })).toEqual(byTool(customFlags));
  });

  test('names unsupported patterns', () => {
    const excludePatterns = ['re:x', 'sh:a/**/b', '*.iso'];
    const { problems } = planTar({ excludePatterns, customFlags: ['--pattern', '- x'] });
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('re:x');
  });

  test('flags go where they belong', () => {
    const customFlags = ['-x', '--chunker-params=fixed,4096', '-c', '60', '-e', 'b', '--noatime'];
    const { tar, tool, unused } = planTar({ excludePatterns: [], customFlags });
    expect(tar).toEqual(expect.arrayContaining(['--one-file-system', '--exclude=b']));
    expect(tool).toEqual(['--chunker-params=fixed,4096', '-c60']);
    expect(unused).toEqual(['--noatime']);
  });
});

describe('a stream is complete only if tar confirms it', () => {
  const whole = () => execFileSync('tar', ['-C', join(folder, 'root'), '-cf', '-', 'a']);
  async function take(pieces: Buffer[], code: number | null, said = '') {
    const messages = new TarMessages(undefined);
    await messages.read(Readable.from([Buffer.from(said)]));
    const exit = Promise.resolve({ code, signal: null });
    const streams = { stdin: new PassThrough(), stderr: new PassThrough() };
    const host = { ...streams, stdout: Readable.from(pieces), exit };
    let size = 0;
    for await (const piece of tarBytes(host, messages)) size += piece.length;
    return { size, warnings: messages.all() };
  }

  test.each([0, 1, 2])('ended with %d', async (code) => {
    const bytes = whole();
    const pieces = [bytes.subarray(0, 700), bytes.subarray(700, -10), bytes.subarray(-10)];
    expect((await take(pieces, code)).size).toBe(bytes.length);
  });

  test('messages are warnings with the path of the host', async () => {
    const said =
      'tar: a/b: Cannot open: Permission denied\ntar: s: socket ignored\ntar: Exiting with failure status\n';
    expect((await take([whole()], 2, said)).warnings).toEqual(['/a/b: Cannot open: Permission denied.']);
  });

  test.each([
    ['/usr/bin/tar: a/b: Cannot open: Permission denied\n', '/a/b: Cannot open: Permission denied.'],
    ['tar.real: a/b: File removed before we read it\n', '/a/b: File removed before we read it.'],
    ['sorry, some of it could not be read\n', 'Its last message: sorry, some of it could not be read.'],
    ['tar: Exiting with failure status due to previous errors\n', 'Exiting with failure status'],
    ['', 'tar on the host ended with code 2, so something may be missing. It gave no reason.'],
  ])('warns of any other end behind a wrapper: %j', async (said, warning) => {
    const { warnings } = await take([whole()], 2, said);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(warning);
  });

  test('ignores text of others with a good end', async () => {
    expect((await take([whole()], 0, 'Welcome!\ntar: s: socket ignored\n')).warnings).toEqual([]);
  });

  test('fails for truncated, interrupted and cancelled streams', async () => {
    const bytes = whole();
    await expect(take([bytes.subarray(0, 1000)], 0)).rejects.toMatchObject({ kind: 'failed' });
    await expect(take([bytes.subarray(0, 1024)], 2)).rejects.toMatchObject({ kind: 'failed' });
    await expect(take([], 127)).rejects.toMatchObject({ kind: 'failed' });
    await expect(take([bytes], null)).rejects.toMatchObject({ kind: 'connection' });
    const gaveUp = 'tar: Error is not recoverable: exiting now\n';
    await expect(take([bytes], 2, gaveUp)).rejects.toMatchObject({ kind: 'failed' });
  });
});
