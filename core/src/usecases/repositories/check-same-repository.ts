import { randomUUID } from 'node:crypto';
import { invalid } from '../../errors.js';
import type { RepositoryRow } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { checkDirectory } from './check-location.js';
import { forgetCaches } from './forget-caches.js';
import { openTarget } from './open-target.js';
import { withTool } from './tool-failure.js';

type Needs = Pick<Dependencies, 'driver' | 'files' | 'secrets' | 'redactor' | 'log'>;

/**
 * AppError `invalid` unless the repository at the path is the registered one, opened with its stored
 * secrets.
 */
export async function checkSameRepository(
  needs: Needs,
  row: RepositoryRow,
  {
    path,
    connectionId,
    remotePath,
  }: { path: string; connectionId: number | null; remotePath: string | null },
): Promise<void> {
  if (connectionId === null) await checkDirectory(needs.files, path);
  const { target, release } = openTarget(needs)(row);
  // A name of its own: what the tool remembers of the present place must not mix with what it sees here.
  const uid = randomUUID();
  const candidate = { ...target, uid, location: path, connectionId, remoteToolPath: remotePath };
  try {
    const { value } = await withTool(() => needs.driver.open(candidate, {}, { bypassLock: row.bypass_lock }));
    if (value.id !== row.tool_id) {
      throw invalid(`path: at ${path} is another repository. Import that one instead, or correct the path.`);
    }
  } finally {
    release();
    await forgetCaches(needs, uid);
  }
}
