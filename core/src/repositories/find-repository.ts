import { posix } from 'node:path';
import type { RepositoryReference } from '@holdfast/contracts';
import { invalid, notFound } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type RepositoryRow, repositories } from '../schema/tables.js';

export interface RepositorySelector {
  repository?: RepositoryReference | undefined;
  repository_id?: number | undefined;
}

/** The registered repository of a path or an id (a text of digits is an id). AppError `not_found`. */
export async function findRepository(
  storage: StorageSession,
  { repository, repository_id }: RepositorySelector,
): Promise<RepositoryRow> {
  const reference = repository ?? repository_id;
  if (reference === undefined) throw invalid('Name the repository: `repository` takes its path.');
  const id = typeof reference === 'number' ? reference : idIn(reference);
  const where = id === null ? { path: normalised(String(reference)) } : { id };
  const [row] = await storage.find(repositories, { where, limit: 1 });
  if (!row) {
    throw notFound(
      `There is no repository ${id === null ? 'with this path' : id}: see GET /api/repositories/.`,
    );
  }
  return row;
}

function idIn(text: string): number | null {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

function normalised(path: string): string {
  const trimmed = path.trim();
  if (!trimmed.startsWith('/')) return trimmed;
  const clean = posix.normalize(trimmed);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}
