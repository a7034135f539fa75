import type { Dirent } from 'node:fs';
import type * as fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { ask, proberFor, textOf } from './probers.js';

/**
 * Calls of `node:fs/promises` for paths that users name. Such a path may be on a mount that hangs, and a call that hangs
 * in this process would take one of its few threads. These run in child processes, with a time limit: they reject with
 * `ETIMEDOUT` when the file system does not answer.
 */
const outside =
  (call: string) =>
  (path: string | Buffer, ...more: unknown[]) =>
    ask(path, call, [path, ...more]);

export const access = outside('access') as typeof fs.access;
export const chmod = outside('chmod') as typeof fs.chmod;
export const link = outside('link') as typeof fs.link;
export const lstat = outside('lstat') as typeof fs.lstat;
export const mkdir = outside('mkdir') as typeof fs.mkdir;
export const readlink = outside('readlink') as typeof fs.readlink;
export const realpath = outside('realpath') as typeof fs.realpath;
export const rename = outside('rename') as typeof fs.rename;
export const rmdir = outside('rmdir') as typeof fs.rmdir;
export const stat = outside('stat') as typeof fs.stat;
export const statfs = outside('statfs') as typeof fs.statfs;
export const utimes = outside('utimes') as typeof fs.utimes;
export const unlink = outside('unlink') as typeof fs.unlink;
export const writeFile = outside('writeFile') as typeof fs.writeFile;

/** With `withFileTypes`, entries have only a name and their kind. */
export const readdir = (async (path: string | Buffer, options?: { withFileTypes?: boolean }) => {
  const found = (await ask(path, 'readdir', [path, options])) as unknown[];
  return options?.withFileTypes ? (found as Named[]).map(entryOf) : found;
}) as typeof fs.readdir;

/** For large trees: each file takes its own time. */
const longMs = 10 * 60_000;
export const rm = ((path: string, options?: object) =>
  ask(path, 'rm', [path, options], { ms: longMs })) as typeof fs.rm;

export const copyFile = ((from: string | Buffer, to: string | Buffer, mode?: number) =>
  ask(to, 'copyFile', [from, to, mode], { ms: longMs })) as typeof fs.copyFile;

/** The entries of a folder, some at a time. */
export async function* entriesOf(path: string | Buffer, atOnce = 500): AsyncGenerator<Dirent<Buffer>> {
  const by = proberFor(textOf(path));
  const call = (name: string, ...args: unknown[]) => ask(path, name, args, { by });
  const options = { bufferSize: 256, encoding: 'buffer' };
  let [id, some] = (await call('opendir', path, options, atOnce)) as [id: number, some: Named[]];
  by.held += 1;
  try {
    for (;;) {
      for (const each of some) yield entryOf(each) as unknown as Dirent<Buffer>;
      if (some.length < atOnce) return;
      some = (await call('some', id, atOnce)) as Named[];
    }
  } finally {
    by.held -= 1;
    // Otherwise it was closed at its end.
    if (some.length === atOnce) void call('closedir', id).catch(() => {});
  }
}

type Named = [name: string | Buffer, kind: 'd' | 'f' | 'l' | 'o'];

const entryOf = ([name, kind]: Named) => ({
  name,
  isDirectory: () => kind === 'd',
  isFile: () => kind === 'f',
  isSymbolicLink: () => kind === 'l',
});

/** A file or folder that is open in a child. */
export interface HeldFile {
  /** Leads to it, for every process of the same user. */
  readonly place: string;
  stat: FileHandle['stat'];
  appendFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export async function open(path: string | Buffer, flags: string | number, mode?: number): Promise<HeldFile> {
  const by = proberFor(textOf(path));
  const [id, descriptor] = (await ask(path, 'hold', [path, flags, mode], { by })) as [number, number];
  by.held += 1;
  const call = (name: string, ...args: unknown[]) => ask(path, 'with', [id, name, ...args], { by });
  return {
    place: `/proc/${by.pid}/fd/${descriptor}`,
    stat: ((options) => call('stat', options)) as FileHandle['stat'],
    appendFile: (text) => call('appendFile', text) as Promise<void>,
    sync: () => call('sync') as Promise<void>,
    async close() {
      by.held -= 1;
      await call('close');
    },
  };
}

/** Rejects unless this can be opened for reading. Follows no symlink, and does not wait for a pipe. */
export const opens = outside('opens') as (path: string | Buffer) => Promise<void>;

/**
 * The first `most` bytes of a regular file that somebody else may have put there; `rejectLonger` rejects a longer one
 * with `EFBIG`. Rejects with `EFTYPE` for anything else, such as a pipe. By default, follows no symlink.
 */
export async function readStart(
  path: string | Buffer,
  most: number,
  { links = false, rejectLonger = false } = {},
): Promise<Buffer> {
  const found = (await ask(path, 'begin', [path, most, links])) as Buffer;
  if (found.length <= most) return found;
  if (rejectLonger) throw Object.assign(new Error(`EFBIG: more than ${most} bytes`), { code: 'EFBIG' });
  return found.subarray(0, most);
}
