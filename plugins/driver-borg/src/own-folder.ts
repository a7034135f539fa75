import { mkdir } from 'node:fs/promises';
import { DriverError } from '@holdfast/plugin-api/driver';

export const ownDiskFull =
  "The disk of Holdfast's data folder, which holds Borg's caches, is full. Free some space.";

/**
 * Creates a folder of ours with its parents. Rejects with `permission` or `no_space` if the data folder is unusable.
 */
export async function makeOwnFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOSPC') throw new DriverError('no_space', ownDiskFull, { cause });
    // For a read-only disk, Node reports ENOENT because it also creates the parents.
    if (cause.code !== 'ENOENT' && cause.code !== 'EROFS') throw cause;
    throw new DriverError('permission', 'The data folder of Holdfast is read-only.', { cause });
  });
}
