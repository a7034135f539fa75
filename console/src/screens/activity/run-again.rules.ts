import type { Schemas } from '../../api/client.js';

type Job = Pick<Schemas['JobView'], 'id' | 'kind' | 'status' | 'repository_id' | 'about'>;

const startedByAdmins = new Set(['compact', 'drill']);

/**
 * Whether one call starts the same again. A prune had rules and a deletion an archive that only their dialogs
 * ask for; a restore has its own page.
 */
export function canRunAgain(
  job: Job,
  mode: string | undefined,
  { isAdmin, mayOperate }: { isAdmin: boolean; mayOperate: boolean },
): boolean {
  const { kind, status, about } = job;
  if (status !== 'failed' || job.repository_id === null || mode === undefined || !mayOperate) return false;
  if (kind === 'backup') return mode === 'full';
  if (kind === 'check') return about.check_type !== 'repair' && !about.signs;
  return startedByAdmins.has(kind) && isAdmin;
}

/** Those that nothing newer of the same kind and repository followed, of jobs in any order. */
export function lastAttempts(jobs: readonly Job[]): Set<number> {
  const newest = new Map<string, number>();
  for (const { id, kind, repository_id } of jobs) {
    const key = `${kind} ${repository_id}`;
    newest.set(key, Math.max(id, newest.get(key) ?? 0));
  }
  return new Set(newest.values());
}

/** The page of the repository where what made it fail is put right; null: not known. */
export function fixOf(
  { kind, about, error_code: code }: Pick<Schemas['JobView'], 'kind' | 'about' | 'error_code'>,
  isClosed: boolean,
): 'maintenance' | 'settings' | 'drills' | null {
  if (isClosed || about.problems_found) return 'maintenance';
  if (kind === 'drill') return about.failed_files ? 'drills' : null;
  if (kind === 'backup')
    return /^(sources?_|backup_(without_sources|sources|empty))/.test(code ?? '') ? 'settings' : null;
  return kind === 'prune' || kind === 'archive_deletion' ? 'maintenance' : null;
}
