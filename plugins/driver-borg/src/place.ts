import { dirname, join, resolve } from 'node:path';
import { DriverError } from '@holdfast/plugin-api/driver';
import { mkdir, readdir, rm, rmdir } from '@holdfast/plugin-api/files';
import { asDriverError } from './command.js';
import { readConfig } from './identity/local-identity.js';
import { isRemote } from './location.js';

/** The folder of a new repository: ours from `claimPlace` until one of these two calls. */
export interface Place {
  /** Call it once there is a repository. */
  release(): void;
  /** Removes everything that was created there, and the parents created for it. */
  undo(): Promise<void>;
}

const claimed = new Set<string>();

/**
 * Creates the folder and its parents, or takes an existing empty one. Only one claim per location at a time, so that
 * the failure of one never removes what another created. Rejects with `repository_exists`, `path_not_empty` or
 * `permission`.
 */
export async function claimPlace(location: string): Promise<Place> {
  // When interrupted, borg itself removes what it created on the remote side.
  if (isRemote(location)) return { release: () => {}, undo: async () => {} };
  const path = resolve(location);
  if (claimed.has(path))
    throw new DriverError('locked', 'A repository is already being created at this location.');
  claimed.add(path);
  try {
    const firstMade = await makeFolder(path);
    const release = () => void claimed.delete(path);
    return { release, undo: () => undo(path, firstMade).finally(release) };
  } catch (error) {
    claimed.delete(path);
    throw error;
  }
}

async function makeFolder(path: string): Promise<string | undefined> {
  try {
    const firstMade = await mkdir(path, { recursive: true, mode: 0o700 });
    if (firstMade === undefined) await assertEmpty(path);
    return firstMade;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new DriverError('path_not_empty', 'There is a file at or above this location.', { cause: error });
    // Node's error for a read-only disk.
    if (code === 'ENOENT')
      throw new DriverError('permission', 'The folder cannot be created at this location.', { cause: error });
    if (code === 'ENAMETOOLONG') throw new DriverError('usage', 'The path is too long.', { cause: error });
    throw asDriverError(error);
  }
}

async function assertEmpty(path: string): Promise<void> {
  if ((await readdir(path)).length === 0) return;
  const config = await readConfig(path);
  if (config.startsWith('[repository]'))
    throw new DriverError(
      'repository_exists',
      'There is already a Borg repository at this location. Import it.',
    );
  throw new DriverError(
    'path_not_empty',
    'The folder is not empty. Choose one that is empty or does not exist.',
  );
}

async function undo(path: string, firstMade: string | undefined): Promise<void> {
  for (const name of await readdir(path).catch(() => []))
    await rm(join(path, name), { recursive: true, force: true });
  if (firstMade === undefined) return;
  for (let folder = path; folder.length >= firstMade.length; folder = dirname(folder)) {
    if (
      !(await rmdir(folder).then(
        () => true,
        () => false,
      ))
    )
      return; // Something else uses it by now.
  }
}
