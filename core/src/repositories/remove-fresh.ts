import { isRemoteLocation } from '../ssh/remote-location.rules.js';
import type { RepositoryTarget } from '../ports/backup-driver.js';
import type { Dependencies } from '../dependencies.js';

export interface FreshRepository {
  target: RepositoryTarget;
  /** The tool's id of the repository that this call made. */
  toolId: string;
  /** The empty folder was there before: it stays. */
  placeWasThere: boolean;
}

/**
 * Takes back a repository that was made a moment ago and could not be registered: only when it still is
 * that one and holds no archive. Never throws; what it leaves is in the log.
 */
export async function removeFresh(
  { driver, files, log }: Pick<Dependencies, 'driver' | 'files' | 'log'>,
  { target, toolId, placeWasThere }: FreshRepository,
): Promise<void> {
  const { location } = target;
  try {
    const { value } = await driver.open(target, {});
    const listed = await driver.listArchives(target, { checkpoints: true });
    if (value.id !== toolId || listed.value.length > 0) {
      log.warn('a new repository that could not be registered is in use already and stays', { location });
      return;
    }
    if (isRemoteLocation(location)) {
      await driver.destroy?.(target, {});
      return;
    }
    await files.removeContents(location);
    if (!placeWasThere) await files.removeEmptyDirectories([location]);
  } catch (error) {
    log.warn('a new repository that could not be registered stays on disk', { location, error });
  }
}
