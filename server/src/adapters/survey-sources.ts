import type { Stats } from 'node:fs';
import { resolve } from 'node:path';
import type { FileSystem, SourceTally } from '@holdfast/core/server';
import { bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';
import { entriesOf, lstat } from '@holdfast/plugin-api/files';
import { canOpen } from './list-folder.js';

/** Few, because the disk has other work. */
const atOnce = 4;
const mostPaths = 20;
const separator = Buffer.from('/');

type Options = Parameters<FileSystem['survey']>[1];

export const surveySources: FileSystem['survey'] = async (paths, options) => {
  const folders: Buffer[] = [];
  for (const path of paths) await count(bytesOfName(resolve(path)), folders, options);
  for (let folder = folders.pop(); folder && !options.signal.aborted; folder = folders.pop()) {
    await countIn(folder, folders, options);
  }
};

/** Counts the entries of a folder and adds its folders to `folders`. */
async function countIn(folder: Buffer, folders: Buffer[], options: Options): Promise<void> {
  const waiting: Buffer[] = [];
  const flush = () => Promise.all(waiting.splice(0).map((path) => count(path, folders, options)));
  try {
    for await (const { name } of entriesOf(folder)) {
      waiting.push(Buffer.concat([folder, separator, name]));
      if (waiting.length >= atOnce) await flush();
      if (options.signal.aborted) return;
    }
  } catch (error) {
    noteUnreadable(folder, error, options.tally);
  }
  await flush();
}

async function count(path: Buffer, folders: Buffer[], { tally, excluded }: Options): Promise<void> {
  if (excluded(nameOfBytes(path))) return;
  try {
    const found: Stats = await lstat(path);
    if (found.isSymbolicLink()) tally.symlinks += 1;
    else if (found.isDirectory()) folders.push(path);
    else if (found.isFile()) {
      tally.files += 1;
      tally.bytes += found.size;
      if (!(await canOpen(path))) note(path, tally);
    }
  } catch (error) {
    noteUnreadable(path, error, tally);
  }
}

/** What is gone meanwhile is no longer a source. */
function noteUnreadable(path: Buffer, error: unknown, tally: SourceTally): void {
  if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) note(path, tally);
}

function note(path: Buffer, tally: SourceTally): void {
  tally.unreadable += 1;
  if (tally.unreadablePaths.length < mostPaths) tally.unreadablePaths.push(nameOfBytes(path));
}
