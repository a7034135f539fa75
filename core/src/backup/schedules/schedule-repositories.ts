import { type ScheduleChanges, scheduleChanges, scheduleView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { invalid, isAppError, say } from '../../foundation/kernel/index.js';
import { findRepository, ignoredFields } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { unusedRules } from './retention-settings.js';
import { type ScheduleRow, scheduleRepositories } from './tables.js';

type Selectors = Pick<ScheduleChanges, 'repository_ids' | 'repository_id' | 'repository'>;

export const noRepositories = say`schedule_repositories_missing: A schedule needs at least one repository: list them in repository_ids, in the order to back them up.`;

/**
 * The selected repositories in order, without duplicates. Null when no selector was given. Throws AppError
 * `invalid` for an unknown repository, one in observe mode, or an empty selection.
 */
export async function selectedRepositories(
  session: StorageSession,
  selectors: Selectors,
): Promise<RepositoryRow[] | null> {
  const { repository_ids: ids, repository_id: id, repository } = selectors;
  const references = ids?.length ? [...new Set(ids)] : [id ?? repository].filter((one) => one != null);
  if (references.length === 0) {
    if (ids === undefined && id === undefined && repository === undefined) return null;
    throw invalid(noRepositories);
  }
  const rows: RepositoryRow[] = [];
  for (const reference of references) rows.push(await knownRepository(session, reference));
  const observed = rows.filter(({ mode }) => mode === 'observe').map(({ name }) => name);
  if (observed.length === 0) return rows;
  throw invalid(
    say`schedule_repositories_observed: In observe mode, which is read-only: ${{ repositories: observed }}. Remove these, or set their mode to full.`,
  );
}

async function knownRepository(session: StorageSession, reference: string | number): Promise<RepositoryRow> {
  try {
    return await findRepository(session, { repository: reference });
  } catch (error) {
    if (!isAppError(error) || error.code !== 'not_found') throw error;
    throw invalid(error.reason, { cause: error });
  }
}

/** Replaces the links of a schedule. */
export async function linkRepositories(
  session: StorageSession,
  scheduleId: number,
  rows: readonly RepositoryRow[],
): Promise<void> {
  await session.remove(scheduleRepositories, { schedule_id: scheduleId });
  for (const [position, { id }] of rows.entries()) {
    await session.insert(scheduleRepositories, { schedule_id: scheduleId, repository_id: id, position });
  }
}

/** Throws AppError `invalid` when the schedule does not back up into the repository. */
export async function assertCovers(
  session: StorageSession,
  { id, name: schedule }: ScheduleRow,
  { id: repository_id, name: repository }: RepositoryRow,
): Promise<void> {
  const where = { schedule_id: id, repository_id };
  const [link] = await session.find(scheduleRepositories, { where, limit: 1 });
  if (!link)
    throw invalid(
      say`repository_not_covered: Schedule ${{ schedule }} does not back up to repository ${{ repository }}.`,
    );
}

const readOnly = Object.fromEntries(
  [...Object.keys(scheduleView.shape), 'next_runs'].map((field) => [field, 'was ignored: it is read-only.']),
);

/** One sentence for each field of the body without effect, and what else is known. */
export function writeWarnings(
  input: ScheduleChanges,
  row: ScheduleRow,
  others: readonly string[],
): { warnings?: string[] } {
  const warnings = [
    ...ignoredFields(input, scheduleChanges, readOnly),
    ...ignoredSelectors(input),
    ...unusedRules(input, row),
    ...others,
  ];
  return warnings.length > 0 ? { warnings } : {};
}

function ignoredSelectors({ repository_ids: ids, repository_id }: ScheduleChanges): string[] {
  if (!ids?.length || repository_id == null || ids.includes(repository_id)) return [];
  return [`repository_id ${repository_id} was ignored: repository_ids takes precedence.`];
}
