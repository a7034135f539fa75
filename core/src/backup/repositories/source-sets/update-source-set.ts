import type { SourceSetChanges } from '@holdfast/contracts';
import type { EventRow } from '../../../foundation/events/index.js';
import { AppError, conflict, inTransaction, isAppError, say } from '../../../foundation/kernel/index.js';
import { isRemoteLocation } from '../../ssh/index.js';
import { checkSourceConnection, placeConnection } from '../given-connections.js';
import type { RepositoriesNeeds } from '../needs.js';
import { checkPlannedPlace } from '../plan-place.js';
import { checkSources, requireSources } from '../repository-path.rules.js';
import { storedSources } from '../source-settings.js';
import { type RepositoryRow, repositories, type SourceSetRow, sourceSets } from '../tables.js';
import { findSourceSet, type SetValues, valuesOf } from './set-values.js';
import { reportTakenName, setWritten, sourceSetEmpty, usersOf } from './source-sets.js';

const maxAttempts = 5;

/**
 * Changes a source set and the repositories that use it. Throws AppError `not_found`; `conflict` for a taken name;
 * `invalid` when one of the repositories can't have these sources.
 */
export async function updateSourceSet(needs: RepositoriesNeeds, id: number, input: SourceSetChanges) {
  checkSources(input.source_directories ?? []);
  for (let attempt = 1; ; attempt++) {
    const events = await reportTakenName(() => tryUpdate(needs, id, input));
    if (events) {
      needs.events.announce(events);
      break;
    }
    if (attempt === maxAttempts) {
      throw conflict(
        say`source_set_busy: Other requests keep changing this source set and its repositories: try again.`,
      );
    }
  }
  const { name } = await findSourceSet(needs.storage, id);
  return setWritten(needs, id, `Source set ${name} was updated.`);
}

/** Null when something changed since it was read. Then nothing was written, and all checks must be repeated. */
async function tryUpdate(
  needs: RepositoriesNeeds,
  id: number,
  input: SourceSetChanges,
): Promise<EventRow[] | null> {
  const row = await findSourceSet(needs.storage, id);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const planned: SourceSetRow = {
    ...row,
    ...given,
    sources: input.sources ? storedSources(needs, input.sources, row.sources) : row.sources,
    source_directories: [...new Set(input.source_directories ?? row.source_directories)],
    updated_at: Math.max(needs.clock.now(), row.updated_at + 1),
  };
  const values = valuesOf(planned);
  requireSources(values, sourceSetEmpty);
  const fields = changedFields(valuesOf(row), values);
  const users = fields.length > 0 ? await usersOf(needs.storage, id) : [];
  await checkValues(needs, { values, fields, users });
  return inTransaction(needs.storage, async (session) => {
    const current = fields.length > 0 ? await usersOf(session, id) : [];
    if (versionsOf(current) !== versionsOf(users)) return null;
    const { id: _, ...patch } = planned;
    if ((await session.update(sourceSets, { id, updated_at: row.updated_at }, patch)) === 0) return null;
    const events: EventRow[] = [];
    for (const user of current) {
      const updated_at = Math.max(planned.updated_at, user.updated_at + 1);
      await session.update(repositories, { id: user.id }, { ...values, updated_at });
      const data = { name: user.name, fields };
      events.push(
        await needs.events.record(session, {
          kind: 'repository_updated' as const,
          repositoryId: user.id,
          jobId: null,
          data,
        }),
      );
    }
    return events;
  });
}

const changedFields = (before: SetValues, after: SetValues): string[] =>
  (Object.keys(after) as (keyof SetValues)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );

const versionsOf = (users: readonly RepositoryRow[]): string =>
  users.map(({ id, updated_at }) => `${id}:${updated_at}`).join(' ');

interface PlannedValues {
  values: SetValues;
  /** Those that change. */
  fields: readonly string[];
  users: readonly RepositoryRow[];
}

async function checkValues(
  needs: RepositoriesNeeds,
  { values, fields, users }: PlannedValues,
): Promise<void> {
  // The id of a deleted source connection may stay.
  const connects = fields.includes('source_connection_id') || fields.includes('exclude_patterns');
  if (connects) await checkSourceConnection(needs, { ...values, custom_flags: null });
  for (const user of users) {
    try {
      if (connects) await checkSourceConnection(needs, { ...values, custom_flags: user.custom_flags });
      const connection = await placeConnection(needs.storage, user);
      if (connection === null && isRemoteLocation(user.path)) continue;
      const settings = { ...values, custom_flags: user.custom_flags };
      await checkPlannedPlace(needs, { path: user.path, connection, settings, ownId: user.id });
    } catch (error) {
      if (!isAppError(error)) throw error;
      const about = say`source_set_unfit: Repository ${{ repository: user.name }}: ${{ problem: error.detail }}`;
      throw new AppError(error.code, about, { cause: error });
    }
  }
}
