import { randomUUID } from 'node:crypto';
import type { RepositoryTarget } from '../ports/backup-driver.js';
import type { RepositoryRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { forgetCaches } from './forget-caches.js';
import { openTarget } from './open-target.js';
import { withTool } from './tool-failure.js';

type Needs = Pick<Dependencies, 'driver' | 'secrets' | 'redactor' | 'log'>;

/**
 * Runs the tool on what may be a registered repository, under a name of its own: what the tool remembers of the
 * registered one must not mix with what it sees here. AppErrors that say what is wrong.
 */
export async function withCandidate<T>(
  needs: Needs,
  row: RepositoryRow,
  work: (target: RepositoryTarget) => Promise<T>,
): Promise<T> {
  const { target, release } = openTarget(needs)(row);
  const uid = randomUUID();
  try {
    return await withTool(() => work({ ...target, uid }));
  } finally {
    release();
    await forgetCaches(needs, uid);
  }
}
