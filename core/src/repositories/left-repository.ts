import { isRemoteLocation } from '../ssh/remote-location.rules.js';
import { conflict, isDriverError } from '../kernel/errors.js';
import type { Encryption, RepositoryTarget } from '../ports/backup-driver.js';
import type { Dependencies } from '../dependencies.js';
import { hasKeyFile } from './key-file-encryption.js';
import { withTool } from './tool-failure.js';

type Needs = Pick<Dependencies, 'driver' | 'files'>;

/** Whether no repository is at the place of the target. AppError when that can't be found out. */
export async function isFreeOfRepositories(
  { driver, files }: Needs,
  target: RepositoryTarget,
): Promise<boolean> {
  const { location } = target;
  if (!isRemoteLocation(location)) return isBare(files, location);
  try {
    await driver.open(target, {});
    return false;
  } catch (error) {
    if (holdsNone(error)) return true;
    if (isDriverError(error, 'connection') || isDriverError(error, 'host_key_changed')) {
      return withTool(() => Promise.reject(error));
    }
    return false;
  }
}

/**
 * The tool's id of the repository that a process made here before it died; null when it had not come so far. AppError
 * `conflict` when what is there is not that, or of no use.
 */
export async function findLeft(
  { driver, files }: Needs,
  { target, encryption }: { target: RepositoryTarget; encryption: Encryption },
): Promise<string | null> {
  const { location } = target;
  if (!isRemoteLocation(location) && (await isBare(files, location))) return null;
  try {
    const { value } = await driver.open(target, {});
    const listed = await driver.listArchives(target, { checkpoints: true });
    if (value.encryption === encryption && listed.value.length === 0) return value.id;
  } catch (error) {
    if (holdsNone(error)) return null;
    for (const kind of ['connection', 'host_key_changed', 'locked'] as const) {
      if (isDriverError(error, kind)) return withTool(() => Promise.reject(error));
    }
    if (!isDriverError(error)) throw error;
    throw ofNoUse(location, hasKeyFile(encryption), error);
  }
  throw conflict(
    'A repository that is in use, or of another encryption, is at this path by now: use POST /api/repositories/import.',
  );
}

const isBare = async (files: Needs['files'], path: string) =>
  (await files.kind(path)) === 'missing' || (await files.isEmptyDirectory(path));

const holdsNone = (error: unknown) =>
  isDriverError(error, 'repository_missing') || isDriverError(error, 'not_a_repository');

const ofNoUse = (location: string, withKeyFile: boolean, cause: unknown) =>
  conflict(
    `An earlier call was cut short while it made a repository at ${location}, and what it left can't be opened` +
      `${withKeyFile ? ', for its key file was lost' : ' with this passphrase'}: remove that folder, or choose another path.`,
    { cause },
  );
