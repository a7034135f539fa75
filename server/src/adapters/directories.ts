import { dirname, join } from 'node:path';
import type { FileSystem } from '@holdfast/core/server';
import { mkdir, readdir, rm, rmdir, stat } from '@holdfast/plugin-api/files';

type Directories = Pick<FileSystem, 'makeDirectories' | 'removeEmptyDirectories' | 'removeContents'>;

/** The part of the file system port that writes. */
export const directories: Directories = {
  async makeDirectories(path) {
    const created: string[] = [];
    try {
      for (const each of await missingOf(path)) if (await makeDirectory(each)) created.push(each);
    } catch (error) {
      await removeEmpty(created);
      throw error;
    }
    return created;
  },
  removeEmptyDirectories: removeEmpty,
  async removeContents(directory) {
    const names = await readdir(directory);
    await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })));
  },
};

async function missingOf(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let each = path; !(await isThere(each)); each = dirname(each)) missing.unshift(each);
  return missing;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** False if it already exists because another process created it concurrently. */
async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const raced = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (raced && (await stat(path)).isDirectory()) return false;
    throw error;
  }
}

async function removeEmpty(paths: readonly string[]): Promise<void> {
  for (const path of [...paths].reverse()) await rmdir(path).catch(() => undefined);
}
