import { invalid } from '../kernel/errors.js';
import type { RepositoryRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { checkDirectory } from './check-location.js';
import { withCandidate } from './with-candidate.js';

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
  const { value } = await withCandidate(needs, row, ({ expected, ...target }) => {
    const candidate = { ...target, location: path, connectionId, remoteToolPath: remotePath };
    return needs.driver.open(candidate, {}, { bypassLock: row.bypass_lock });
  });
  if (value.id !== row.tool_id || value.encryption !== row.encryption) {
    throw invalid(`path: at ${path} is another repository. Import that one instead, or correct the path.`);
  }
}
