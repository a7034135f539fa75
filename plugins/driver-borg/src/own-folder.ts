import { mkdir } from 'node:fs/promises';
import { DriverError } from '@holdfast/plugin-api/driver';

/** Makes a folder of ours with its parents. `permission`, `no_space` when the service's data folder is not as usual. */
export async function makeOwnFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOSPC')
      throw new DriverError('no_space', "The disk of the service's data folder is full.", { cause });
    // ENOENT is what Node makes of a read-only disk, as the parents are made, too.
    if (cause.code !== 'ENOENT' && cause.code !== 'EROFS') throw cause;
    throw new DriverError('permission', 'The data folder of the service is read-only.', { cause });
  });
}
