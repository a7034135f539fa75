import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as files from '../src/files.js';
import { Prober } from '../src/foreign/prober.js';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-foreign-')));
  mkdirSync(join(folder, 'below'));
  writeFileSync(join(folder, 'file'), 'content');
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])]), '');
  symlinkSync('file', join(folder, 'link'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

test('answers as the file system of this process does', async () => {
  for (const name of ['file', 'below', 'link', 'pipe']) {
    const [ours, theirs] = await Promise.all([files.lstat(at(name)), fs.lstat(at(name))]);
    expect({ ...ours, atimeMs: 0 }).toEqual({ ...theirs, atimeMs: 0 });
    for (const is of ['isFile', 'isDirectory', 'isSymbolicLink'] as const)
      expect(ours[is]()).toBe(theirs[is]());
    const big = { bigint: true } as const;
    const [large, same] = await Promise.all([files.stat(at(name), big), fs.stat(at(name), big)]);
    expect([large.ino, large.ctimeNs, large.isFile()]).toEqual([same.ino, same.ctimeNs, same.isFile()]);
  }
  expect(await files.realpath(at('link'))).toBe(at('file'));
  expect((await files.statfs(folder)).bsize).toBe((await fs.statfs(folder)).bsize);
  expect((await files.readdir(folder)).sort()).toEqual((await fs.readdir(folder)).sort());
});

test('keeps bytes that are not text', async () => {
  const names: Buffer[] = [];
  for await (const entry of files.entriesOf(folder)) if (entry.isFile()) names.push(entry.name);
  expect(names.map((name) => name.toString('latin1')).sort()).toEqual(['bad\xff', 'file']);
  const typed = await files.readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  expect(typed.find((entry) => entry.isDirectory())?.name.toString()).toBe('below');
});

test('lists a folder of any size whole, and leaves none open', async () => {
  const names: string[] = [];
  for await (const { name } of files.entriesOf(folder, 2)) names.push(name.toString('latin1'));
  expect(names.sort()).toEqual(['bad\xff', 'below', 'file', 'link', 'pipe']);
  for await (const _ of files.entriesOf(folder, 1)) break;
  for await (const _ of files.entriesOf(at('below'))) expect.unreachable();
  const held = await files.open(folder, 'r');
  const opened = dirname(held.place);
  const ours = async () => {
    const all = (await fs.readdir(opened)).map((each) => fs.readlink(join(opened, each)).catch(() => ''));
    return (await Promise.all(all)).filter((target) => target.startsWith(folder));
  };
  await expect.poll(ours).toEqual([folder]);
  await held.close();
});

test('answers concurrent requests with separate results', async () => {
  const asked = ['file', 'none', 'below'].map((name) => files.lstat(at(name)));
  const [file, none, below] = await Promise.allSettled(asked);
  expect(file).toMatchObject({ value: { size: 7 } });
  expect(none).toMatchObject({ reason: { code: 'ENOENT', path: at('none') } });
  expect(below?.status === 'fulfilled' && below.value.isDirectory()).toBe(true);
});

test('rejects with the error of the system', async () => {
  await expect(files.lstat(at('none'))).rejects.toMatchObject({ code: 'ENOENT', syscall: 'lstat' });
  await expect(files.readdir(at('file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(files.rmdir(folder)).rejects.toMatchObject({ code: 'ENOTEMPTY' });
});

test('reads the start of a regular file', async () => {
  expect(`${await files.readStart(at('file'), 4)}`).toBe('cont');
  expect(`${await files.readStart(at('link'), 100, { links: true })}`).toBe('content');
});

test.each([
  ['a FIFO', 'pipe', 'EFTYPE'],
  ['a symlink', 'link', 'ELOOP'],
  ['a folder', 'below', 'EFTYPE'],
])('refuses %s instead of a small file', async (_, name, code) => {
  await expect(files.readStart(at(name), 100)).rejects.toMatchObject({ code });
});

test('refuses devices and files that are too long', async () => {
  await expect(files.readStart('/dev/zero', 100)).rejects.toMatchObject({ code: 'EFTYPE' });
  truncateSync(at('file'), 1_500_000_000);
  await expect(files.readStart(at('file'), 100, { rejectLonger: true })).rejects.toMatchObject({
    code: 'EFBIG',
  });
});

test('opens readable files and does not wait for a pipe', async () => {
  await files.opens(at('file'));
  await files.opens(at('below'));
  await files.opens(at('pipe'));
  await expect(files.opens(at('link'))).rejects.toMatchObject({ code: 'ELOOP' });
});

test('accepts an answer that arrived in time while the process was busy', async () => {
  const prober = new Prober();
  const ask = (ms: number) => prober.ask('lstat', [folder], { path: folder, ms });
  await ask(30_000);
  const answer = ask(200);
  await Promise.resolve();
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 600_000);
  expect(await answer).toMatchObject({ size: expect.any(Number) });
  prober.kill();
});
