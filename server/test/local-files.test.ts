import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localFiles } from '../src/adapters/local-files.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-files-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (...parts: string[]) => join(folder, ...parts);
const signal = new AbortController().signal;

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

test('finds out whether there is any file', async () => {
  mkdirSync(at('empty', 'empty'), { recursive: true });
  symlinkSync(at('nowhere'), at('empty', 'link'));
  expect(await localFiles.hasFile([at('empty'), at('none')])).toBe(false);
  expect(await localFiles.isEmptyDirectory(at('empty', 'empty'))).toBe(true);
  expect(await localFiles.isEmptyDirectory(at('empty'))).toBe(false);
  writeFileSync(at('empty', 'empty', 'file'), '');
  expect(await localFiles.hasFile([at('empty')])).toBe(true);
});
