import type { NewSourceSet, SourceSetView } from '@holdfast/contracts';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { conflict, inTransaction, isoTime, say } from '../../../foundation/kernel/index.js';
import { checkSourceConnection } from '../given-connections.js';
import type { RepositoriesNeeds } from '../needs.js';
import { checkSources, requireSources } from '../repository-path.rules.js';
import { sourceRemarks } from '../source-remarks.js';
import { shownSources, storedSources } from '../source-settings.js';
import { repositories, type SourceSetRow, sourceSets } from '../tables.js';
import { findSourceSet, valuesOf } from './set-values.js';

export const sourceSetEmpty = say`source_set_empty: Add at least one directory, or a source such as a database.`;

/** Throws AppError `invalid`, `not_found` (connection), `conflict` (name). */
export async function createSourceSet(needs: RepositoriesNeeds, input: NewSourceSet) {
  const { storage, clock } = needs;
  const { name, exclude_patterns, source_connection_id = null, allow_parallel } = input;
  checkSources(input.source_directories);
  const source_directories = [...new Set(input.source_directories)];
  const sources = storedSources(needs, input.sources, []);
  const values = { source_directories, exclude_patterns, sources, source_connection_id };
  requireSources(values, sourceSetEmpty);
  await checkSourceConnection(needs, { ...values, custom_flags: null });
  const now = clock.now();
  const row = { name, ...values, allow_parallel, created_at: now, updated_at: now };
  const { id } = await reportTakenName(() => storage.insert(sourceSets, row));
  return setWritten(needs, id, `Source set ${name} was created.`);
}

/** What was written, with remarks about its directories. */
export async function setWritten(needs: RepositoriesNeeds, id: number, message: string) {
  const row = await findSourceSet(needs.storage, id);
  const warnings = await sourceRemarks(needs, {
    ...valuesOf(row),
    custom_flags: null,
    pre_backup_script: null,
  });
  const source_set = await viewSourceSet(needs.storage, row);
  return { success: true as const, message, source_set, ...(warnings.length > 0 ? { warnings } : {}) };
}

export async function reportTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw conflict(say`source_set_name_taken: Another source set has this name: choose another.`, {
      cause: error,
    });
  }
}

export async function listSourceSets({ storage }: Pick<RepositoriesNeeds, 'storage'>) {
  const rows = await storage.find(sourceSets);
  const users = await storage.find(repositories, { where: { source_set_id: { not: null } } });
  const source_sets = rows.map((row) =>
    sourceSetView(
      row,
      users.filter((each) => each.source_set_id === row.id),
    ),
  );
  return { success: true as const, source_sets };
}

/** Throws AppError `not_found`. */
export async function getSourceSet({ storage }: Pick<RepositoriesNeeds, 'storage'>, id: number) {
  return {
    success: true as const,
    source_set: await viewSourceSet(storage, await findSourceSet(storage, id)),
  };
}

/** Throws AppError `not_found`, or `conflict` while repositories use it. */
export async function deleteSourceSet({ storage }: Pick<RepositoriesNeeds, 'storage'>, id: number) {
  const { name } = await inTransaction(storage, async (session) => {
    const row = await findSourceSet(session, id);
    const names = (await usersOf(session, id)).map((user) => user.name);
    if (names.length > 0) {
      throw conflict(
        say`source_set_in_use: Source set ${{ name: row.name }} is used by ${{ repositories: names }}: remove it from these repositories first.`,
      );
    }
    await session.remove(sourceSets, { id });
    return row;
  });
  return { success: true as const, message: `Source set ${name} was deleted.` };
}

/** The repositories that use the set. */
export const usersOf = (session: StorageSession, id: number) =>
  session.find(repositories, { where: { source_set_id: id } });

const viewSourceSet = async (session: StorageSession, row: SourceSetRow): Promise<SourceSetView> =>
  sourceSetView(row, await usersOf(session, row.id));

const sourceSetView = (row: SourceSetRow, users: readonly { id: number; name: string }[]): SourceSetView => ({
  id: row.id,
  name: row.name,
  ...valuesOf(row),
  sources: shownSources(row.sources),
  allow_parallel: row.allow_parallel,
  repositories: users.map(({ id, name }) => ({ id, name })),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});
