import { type RepositoryChanges, type RepositoryWritten, repositoryChanges } from '@holdfast/contracts';
import { isRemoteLocation, pathOf } from '../ssh/remote-location.rules.js';
import { maskedValue } from '../hooks/script.rules.js';
import { conflict } from '../kernel/errors.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { type RepositoryRow, repositories } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from './find-repository.js';
import { checkNameFree } from './check-location.js';
import { checkSameRepository } from './check-same-repository.js';
import { viewRepository } from './get-repository.js';
import { checkSourceConnection, placeConnection } from './given-connections.js';
import { ignoredFields } from './ignored-fields.js';
import { checkPlannedPlace, planPlace } from './plan-place.js';
import { checkGiven, checkTogether, type RepositorySettings, settingsOf } from './repository-settings.js';
import { sourceRemarks } from './source-remarks.js';
import { sayingWhatIsTaken } from './taken-repository-key.js';
import { refuseWhileJobs } from './unfinished-jobs.js';

type Needs = Pick<
  Dependencies,
  'storage' | 'driver' | 'files' | 'secrets' | 'redactor' | 'events' | 'clock' | 'settings' | 'log'
>;

const triesAgainstOthers = 5;

/**
 * Changes the settings that are given. A new path is taken only when it holds the same repository and no
 * job of it waits or runs; nothing is ever made there. AppError `invalid`, `not_found`, `conflict`.
 */
export const updateRepository =
  (needs: Needs) =>
  async (id: number, input: RepositoryChanges): Promise<RepositoryWritten> => {
    checkGiven(needs.driver, input);
    for (let attempt = 1; !(await tryUpdate(needs, id, input)); attempt++) {
      if (attempt === triesAgainstOthers) {
        throw conflict('Others keep changing this repository at the same time: try again.');
      }
    }
    const repository = await viewRepository(needs.storage, id);
    const told = [
      ...(await remarksOn(needs, id, input)),
      ...ignoredFields(input, repositoryChanges, reasons),
    ];
    const message = `Repository ${repository.name} was updated.`;
    return { success: true, message, repository, ...(told.length > 0 ? { warnings: told } : {}) };
  };

async function remarksOn(needs: Needs, id: number, input: RepositoryChanges): Promise<string[]> {
  if (input.source_directories === undefined && input.source_connection_id === undefined) return [];
  return sourceRemarks(needs, await findRepository(needs.storage, { repository_id: id }));
}

const unchangeable = 'was ignored: it is fixed when a repository is made.';
const reasons = {
  encryption: unchangeable,
  passphrase: unchangeable,
  keyfile_content: 'was ignored: use POST /api/repositories/{id}/keyfile.',
};

type Patch = Partial<RepositoryRow>;

/**
 * False when the row changed since it was read: then nothing was written, and all checks must be made anew.
 */
async function tryUpdate(needs: Needs, id: number, input: RepositoryChanges): Promise<boolean> {
  const row = await findRepository(needs.storage, { repository_id: id });
  const patch = await plannedPatch(needs, row, input);
  const moves = patch.path !== undefined;
  const work = () =>
    inTransaction(needs.storage, async (session) => {
      if (moves) await refuseWhileJobs(session, id);
      const matched = await session.update(repositories, { id, updated_at: row.updated_at }, patch);
      if (matched === 0) return null;
      const data = { name: patch.name ?? row.name, fields: Object.keys(input) };
      return needs.events.record(session, {
        kind: 'repository_updated',
        repositoryId: id,
        jobId: null,
        data,
      });
    });
  const event = await sayingWhatIsTaken(work);
  if (event) needs.events.announce([event]);
  return event !== null;
}

async function plannedPatch(needs: Needs, row: RepositoryRow, input: RepositoryChanges): Promise<Patch> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => isGiven(value)));
  const settings = settingsOf({ ...row, ...given });
  checkTogether(settings);
  const name = input.name ?? row.name;
  await checkNameFree(needs.storage, { name, ownId: row.id });
  if (concernsSources(input)) await checkSourceConnection(needs, settings);
  const path = await plannedPath(needs, row, { input, settings });
  const updated_at = Math.max(needs.clock.now(), row.updated_at + 1);
  const { connection_id: connectionId, remote_path: remotePath } = settings;
  if (path === row.path && connectionId === row.connection_id) return { ...settings, name, updated_at };
  await refuseWhileJobs(needs.storage, row.id);
  await checkSameRepository(needs, row, { path, connectionId, remotePath });
  return { ...settings, name, path, updated_at, inventory_at: null };
}

/** What was masked in an answer and comes back stays as it is. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== maskedValue;

/** A source connection that is gone by now stays as it is until another is chosen, or none. */
const concernsSources = ({
  source_connection_id,
  exclude_patterns,
  custom_flags,
}: RepositoryChanges): boolean =>
  typeof source_connection_id === 'number' ||
  (source_connection_id === undefined && (exclude_patterns ?? custom_flags ?? null) !== null);

async function plannedPath(
  needs: Needs,
  row: RepositoryRow,
  { input, settings }: { input: RepositoryChanges; settings: RepositorySettings },
): Promise<string> {
  const connection = await placeConnection(needs.storage, settings);
  const place = { connection, settings, ownId: row.id };
  const moves = settings.connection_id !== row.connection_id;
  const text = input.path?.trim() ?? row.path;
  if (!moves && text === row.path) {
    const checks = input.source_directories !== undefined || input.source_connection_id !== undefined;
    if (checks && connection === null && isRemoteLocation(row.path)) return row.path;
    if (checks) await checkPlannedPlace(needs, { ...place, path: row.path });
    return row.path;
  }
  return planPlace(needs, { ...place, text: moves && connection === null ? pathOf(text) : text });
}
