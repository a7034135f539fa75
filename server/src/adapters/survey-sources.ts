import type { Stats } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addFile, type FileSystem, type SourceTally } from '@holdfast/core/server';
import { bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';
import { entriesOf, lstat } from '@holdfast/plugin-api/files';
import { canOpen } from './list-folder.js';

/** Few, because the disk has other work. */
const atOnce = 4;
const mostPaths = 20;
const separator = Buffer.from('/');

type Options = Parameters<FileSystem['survey']>[1];

export const surveySources: FileSystem['survey'] = async (paths, options) => {
  const folders: Folder[] = [];
  for (const path of paths.map((each) => bytesOfName(resolve(each))))
    if (!(await isExcluded(path, options))) await count(path, null, { ...options, folders });
  for (let folder = folders.pop(); folder && !options.signal.aborted; folder = folders.pop()) {
    await countIn(folder, { ...options, folders });
  }
};

interface Folder {
  path: Buffer;
  /** Of its source. */
  device: number;
  group: string | null;
}

type Work = Options & { folders: Folder[] };

/** Counts the entries of a folder and adds its folders to those that wait. */
async function countIn(folder: Folder, options: Work): Promise<void> {
  const waiting: Buffer[] = [];
  const flush = () => Promise.all(waiting.splice(0).map((path) => count(path, folder, options)));
  try {
    for await (const entry of entriesOf(folder.path)) {
      if (options.foldersOnly && !entry.isDirectory()) continue;
      const path = Buffer.concat([folder.path, separator, entry.name]);
      if (await isExcluded(path, options)) continue;
      waiting.push(path);
      if (waiting.length >= atOnce) await flush();
      if (options.signal.aborted) return;
    }
  } catch (error) {
    noteUnreadable(folder.path, error, options.tally);
  }
  await flush();
}

/** With thousands of patterns it takes milliseconds: others are answered before the next path. */
async function isExcluded(path: Buffer, { excluded }: Options): Promise<boolean> {
  await nextTurn();
  return excluded(nameOfBytes(path));
}

/** `above`: its folder; null for a source. */
async function count(path: Buffer, above: Folder | null, options: Work): Promise<void> {
  const { tally, oneFileSystem, folders, groupOf } = options;
  const group = above?.group ?? groupOf?.(nameOfBytes(path)) ?? null;
  try {
    const found: Stats = await lstat(path);
    if (found.isSymbolicLink()) tally.symlinks += 1;
    else if (found.isDirectory() && oneFileSystem && found.dev !== (above?.device ?? found.dev))
      noteOther(path, tally);
    else if (found.isDirectory()) folders.push({ path, device: above?.device ?? found.dev, group });
    else if (found.isFile()) {
      addFile(tally, found.size, group);
      if (!(await canOpen(path))) note(path, tally);
    }
  } catch (error) {
    noteUnreadable(path, error, tally);
  }
}

/** A path that was removed during the survey is no longer a source. */
function noteUnreadable(path: Buffer, error: unknown, tally: SourceTally): void {
  if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) note(path, tally);
}

function note(path: Buffer, tally: SourceTally): void {
  tally.unreadable += 1;
  if (tally.unreadablePaths.length < mostPaths) tally.unreadablePaths.push(nameOfBytes(path));
}

function noteOther(path: Buffer, { otherFileSystems }: SourceTally): void {
  const name = nameOfBytes(path);
  if (otherFileSystems.length < mostPaths) otherFileSystems.push(name);
}
