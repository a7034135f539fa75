import type { GivenSource } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { invalid, notFound, say } from '../../../foundation/kernel/index.js';
import { shownSources } from '../source-settings.js';
import { type RepositoryRow, type SourceSetRow, sourceSets } from '../tables.js';

const fields = ['source_directories', 'exclude_patterns', 'sources', 'source_connection_id'] as const;

/** What a repository takes from its source set. */
export type SetValues = Pick<RepositoryRow, (typeof fields)[number]>;

export const valuesOf = (set: SourceSetRow): SetValues => ({
  source_directories: set.source_directories,
  exclude_patterns: set.exclude_patterns,
  sources: set.sources,
  source_connection_id: set.source_connection_id,
});

/** Throws AppError `not_found`. */
export async function findSourceSet(session: StorageSession, id: number): Promise<SourceSetRow> {
  const [row] = await session.find(sourceSets, { where: { id }, limit: 1 });
  if (!row)
    throw notFound(say`source_set_unknown: There is no source set ${{ id }}: see GET /api/source-sets.`);
  return row;
}

/**
 * The settings with the values of their source set, if they name one. Call it again in the transaction that stores
 * them. Throws AppError `not_found`.
 */
export async function withSetValues<S extends { source_set_id?: number | null | undefined }>(
  session: StorageSession,
  settings: S,
): Promise<S> {
  if (settings.source_set_id == null) return settings;
  return { ...settings, ...valuesOf(await findSourceSet(session, settings.source_set_id)) };
}

const isDefault = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/**
 * Throws AppError `invalid` when a request sets what comes from the source set. The values of the set itself are
 * accepted: clients send back what they read. So are an empty list and null in a `new` registration, where they are
 * the default.
 */
export function refuseBesideSet(
  given: Partial<Omit<SetValues, 'sources'>> & { sources?: GivenSource[] | undefined },
  planned: SetValues & { source_set_id: number | null },
  { isNew }: { isNew: boolean },
): void {
  if (planned.source_set_id === null) return;
  const beside = fields.filter((field) => {
    const value = given[field];
    if (value === undefined || (isNew && isDefault(value))) return false;
    const kept = field === 'sources' ? shownSources(planned.sources) : planned[field];
    return JSON.stringify(value) !== JSON.stringify(kept);
  });
  if (beside.length === 0) return;
  throw invalid(
    say`set_by_source_set: ${{ fields: beside }} can't be set here, because the repository uses source set ${{ id: planned.source_set_id }}. Change the set, or set source_set_id to null.`,
  );
}
