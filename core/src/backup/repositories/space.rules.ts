import { isRemoteLocation } from '../ssh/index.js';
import type { SshConnectionRow } from '../ssh/tables.js';
import type { RepositoryRow } from './tables.js';

/** The file system that a repository lies on. Bytes, as of `at`. */
export interface Space {
  free: number;
  /** Used and free together. */
  total: number;
  at: number;
}

type Place = Pick<RepositoryRow, 'path' | 'place_free' | 'place_total' | 'place_at'>;

/** What was last seen, without looking again; null when never. `connection`: that of the repository. */
export function spaceAt(
  { path, place_free: free, place_total: total, place_at: at }: Place,
  connection: Pick<SshConnectionRow, 'storage'> | undefined,
): Space | null {
  if (isRemoteLocation(path)) {
    const seen = connection?.storage;
    return seen ? { free: seen.available, total: seen.used + seen.available, at: seen.checkedAt } : null;
  }
  return free === null || total === null || at === null ? null : { free, total, at };
}
