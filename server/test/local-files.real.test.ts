import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localFiles } from '../src/adapters/local-files.js';
import { asProgram } from './as-program.js';

let folder: string;
let programs: string;
beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), 'holdfast-programs-'));
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-files-')));
});
afterEach(() => {
  for (const path of [folder, programs]) rmSync(path, { recursive: true });
});

const at = (...parts: string[]) => join(folder, ...parts);
const signal = new AbortController().signal;

test('reports the space of a file system like df, and null if missing', async () => {
  writeFileSync(at('file'), '');
  const told = execFileSync('df', ['--block-size=1', '--output=used,avail', folder], { encoding: 'utf8' });
  const [used = 0, available = 0] = told.trim().split('\n').at(-1)?.trim().split(/\s+/).map(Number) ?? [];
  const space = await localFiles.space(at('file'));
  // Others write beside the test.
  expect(Math.abs((space?.free ?? 0) - available)).toBeLessThan(2 ** 30);
  expect(Math.abs((space?.total ?? 0) - used - available)).toBeLessThan(2 ** 30);
  expect(await localFiles.space(at('none'))).toBeNull();
});

test('kinds of paths', async () => {
  writeFileSync(at('file'), '');
  symlinkSync(folder, at('link'));
  symlinkSync(at('nowhere'), at('dangling'));
  execFileSync('mkfifo', [at('fifo')]);
  const kinds = ['.', 'file', 'link', 'fifo', 'none', 'none/below', 'file/below', 'dangling'].map((name) =>
    localFiles.kind(at(name)),
  );
  expect(await Promise.all(kinds)).toEqual([
    'directory',
    'file',
    'directory',
    'other',
    'missing',
    'missing',
    'missing',
    'other',
  ]);
});

test('real paths, as far as they exist', async () => {
  mkdirSync(at('real'));
  symlinkSync(at('real'), at('link'));
  expect(await localFiles.realPath(at('link', 'a', 'b'))).toBe(at('real', 'a', 'b'));
  expect(await localFiles.realPath(at('real'))).toBe(at('real'));
});

test('measures regular files of any name, without symlinks', async () => {
  mkdirSync(at('tree', 'deep'), { recursive: true });
  for (let n = 0; n < 100; n++) writeFileSync(at('tree', 'deep', `f${n}`), 'xx');
  writeFileSync(Buffer.from(`${at('tree')}/bad\xff`, 'latin1'), 'yyy');
  mkdirSync(Buffer.from(`${at('tree')}/dir\xfe`, 'latin1'));
  writeFileSync(Buffer.from(`${at('tree')}/dir\xfe/in`, 'latin1'), 'zzzz');
  writeFileSync(at('big'), 'x'.repeat(1000));
  symlinkSync(at('big'), at('tree', 'link'));
  expect(await localFiles.measure([at('tree')], signal)).toBe(207);
  expect(await localFiles.measure([at('tree'), at('big'), at('none')], signal)).toBe(1207);
  await expect(localFiles.measure([at('tree')], AbortSignal.abort())).rejects.toThrow();
});

test('detects whether any file exists', async () => {
  mkdirSync(at('empty', 'empty'), { recursive: true });
  symlinkSync(at('nowhere'), at('empty', 'link'));
  expect(await localFiles.hasFile([at('empty'), at('none')])).toBe(false);
  expect(await localFiles.isEmptyDirectory(at('empty', 'empty'))).toBe(true);
  expect(await localFiles.isEmptyDirectory(at('empty'))).toBe(false);
  writeFileSync(at('empty', 'empty', 'file'), '');
  expect(await localFiles.hasFile([at('empty')])).toBe(true);
});

test('looks at sources as the tool takes them', async () => {
  for (const name of ['full', 'empty']) mkdirSync(at(name));
  writeFileSync(at('full', 'file'), '');
  symlinkSync(at('full'), at('link'));
  symlinkSync('nowhere', at('dangling'));
  const found = async (name: string) => {
    const { path, ...rest } = await localFiles.lookAt(`${folder}/${name}`);
    expect(path).toBe(`${folder}/${name}`);
    return rest;
  };
  expect(await found('full')).toEqual({ state: 'present' });
  expect(await found('full/file')).toEqual({ state: 'present' });
  expect(await found('empty')).toEqual({ state: 'empty' });
  expect(await found('none/below')).toEqual({ state: 'missing' });
  expect(await found('full/file/below')).toEqual({ state: 'missing' });
  for (const name of ['link', 'link/']) {
    expect(await found(name)).toEqual({ state: 'symlink', pointsTo: at('full') });
  }
  expect(await found('dangling')).toEqual({ state: 'symlink', pointsTo: at('nowhere') });
  expect(await found('link/file')).toEqual({ state: 'present' });
});

test('assumes that unreadable folders have files', async () => {
  for (const name of ['closed', 'listed', 'inside/deep']) mkdirSync(at(name), { recursive: true });
  for (const name of ['closed', 'listed']) writeFileSync(at(name, 'file'), '');
  const modes = { closed: 0o700, listed: 0o704, 'inside/deep': 0o700, '.': 0o755 };
  for (const [name, mode] of Object.entries(modes)) chmodSync(at(name), mode);
  // Root may read everything: as another user, in a process of its own. It loads first, from what may be closed to others.
  const program = await asProgram('adapters/local-files.ts', programs);
  const script = `import { localFiles } from '${program}';
if (process.getuid() === 0) {
  process.setgroups([]);
  process.setgid(65534);
  process.setuid(65534);
}
const state = async (name) => (await localFiles.lookAt('${folder}/' + name)).state;
const answers = await Promise.all(['closed', 'listed', 'inside', 'closed/file', 'closed/none'].map(state));
const holds = await Promise.all(['closed', 'listed', 'inside'].map((name) => localFiles.hasFile(['${folder}/' + name])));
console.log(JSON.stringify([answers, holds]));`;
  const words = ['--input-type=module', '-e', script];
  if (process.getuid?.() !== 0)
    for (const name of ['closed', 'listed', 'inside/deep'])
      chmodSync(at(name), name === 'listed' ? 0o400 : 0);
  expect(JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))).toEqual([
    ['unreadable', 'unreadable', 'present', 'unreadable', 'unreadable'],
    [true, true, true],
  ]);
  for (const name of ['closed', 'listed', 'inside/deep']) chmodSync(at(name), 0o700);
});

test('distinguishes symlinks to pipes from those to files', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  writeFileSync(at('plain'), '');
  for (const name of ['pipe', 'plain']) symlinkSync(at(name), at(`to-${name}`));
  expect(await localFiles.lookAt(at('to-pipe'))).toMatchObject({ state: 'symlink', toSpecial: true });
  expect(await localFiles.lookAt(at('to-plain'))).not.toHaveProperty('toSpecial');
});
