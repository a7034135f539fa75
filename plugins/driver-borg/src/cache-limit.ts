import { lstat, mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const cacheBesideWriter = 'cache-beside-writer';

/** Each contains one folder per repository that the tool has seen. */
export const cacheFolders = (base: string): string[] => [
  join(base, '.cache', 'borg'),
  join(base, cacheBesideWriter),
];

const gibibyte = 2 ** 30;
/** With less free space borg keeps no index of each archive; with more than the other it does so again. */
const [little, plenty] = [2 * gibibyte, 4 * gibibyte];

/**
 * Bounds borg's caches of one repository while the disk of the data folder has little room: the indexes of the single
 * archives, which grow with their number and only make it faster to follow other writers, are dropped. A file in place
 * of their folder keeps borg from writing them again, as its FAQ says. True while they are left out.
 */
export async function limitCaches(base: string, freeBytes?: number): Promise<boolean> {
  const free = freeBytes ?? (await freeIn(base));
  const isLow = free < little;
  if (!isLow && free < plenty) return false;
  for (const folder of cacheFolders(base)) {
    for (const repository of await readdir(folder).catch(() => [])) {
      const cache = join(folder, repository);
      if (!(await kindOf(join(cache, 'lock.exclusive'))))
        await setIndexes(join(cache, 'chunks.archive.d'), isLow);
    }
  }
  return isLow;
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function setIndexes(path: string, isLow: boolean): Promise<void> {
  if ((await kindOf(path)) !== (isLow ? 'folder' : 'file')) return;
  await rm(path, { recursive: true, force: true });
  if (isLow) await writeFile(path, '');
  else await mkdir(path, { mode: 0o700 });
}

const kindOf = (path: string): Promise<'folder' | 'file' | null> =>
  lstat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => null,
  );
