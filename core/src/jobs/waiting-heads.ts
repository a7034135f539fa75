import type { StorageBackend } from '../ports/storage.js';
import { jobs } from '../schema/tables.js';

/** The longest waiting job of a repository, or one whose repository is gone. */
export interface WaitingHead {
  repository_id: number | null;
  first: number;
}

/** Of all repositories, the longest waiting first. */
export async function allHeads(storage: StorageBackend): Promise<WaitingHead[]> {
  const groups = await storage.aggregate(jobs, {
    where: { status: 'pending' },
    groupBy: ['repository_id'],
    measures: { first: { min: 'id' } },
  });
  return groups
    .flatMap(({ repository_id, first }) => (first === null ? [] : [{ repository_id, first }]))
    .sort((a, b) => a.first - b.first);
}

/** Of the `window` longest waiting jobs only; `complete` when there are no others. */
export async function oldestHeads(
  storage: StorageBackend,
  window: number,
): Promise<{ heads: WaitingHead[]; complete: boolean }> {
  const rows = await storage.find(jobs, {
    where: { status: 'pending' },
    order: [['id', 'asc']],
    limit: window,
  });
  const seen = new Set<number>();
  const heads = rows.filter(({ repository_id: repository }) => {
    if (repository === null) return true;
    return !seen.has(repository) && seen.add(repository);
  });
  return {
    heads: heads.map(({ repository_id, id }) => ({ repository_id, first: id })),
    complete: rows.length < window,
  };
}

/** Of these repositories, the longest waiting first. */
export async function headsOf(
  storage: StorageBackend,
  repositoryIds: readonly number[],
): Promise<WaitingHead[]> {
  const wanted = new Set<number | null>(repositoryIds);
  return (await allHeads(storage)).filter((head) => wanted.has(head.repository_id));
}
