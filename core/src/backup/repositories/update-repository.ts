import { type RepositoryChanges, type RepositoryWritten, repositoryChanges } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { conflict, inTransaction, invalid, maskedValue, say } from '../../foundation/kernel/index.js';
import { isRemoteLocation, pathOf } from '../ssh/index.js';
import { checkNameFree } from './check-location.js';
import { refuseWhileJobs } from './delete-repository.js';
import { checkSourceConnection, ignoredFields, placeConnection } from './given-connections.js';
import { checkSameRepository } from './identity.js';
import type { RepositoriesNeeds } from './needs.js';
import { refuseSecondWriter } from './only-writer.js';
import { checkPlannedPlace, planPlace } from './plan-place.js';
import { findRepository, reportTaken, viewRepository } from './repositories.js';
import { compressionProblem, parseCustomFlags } from './repository.rules.js';
import { checkSources, requireSources } from './repository-path.rules.js';
import { sourceRemarks } from './source-remarks.js';
import { refuseBesideSet, withSetValues } from './source-sets/set-values.js';
import { storedSources } from './source-settings.js';
import { type RepositoryRow, repositories, shownSettings } from './tables.js';

const maxAttempts = 5;

/**
 * Changes the given settings. A new path is accepted only when the same repository is there and none of its jobs is
 * pending or running. Nothing is created there. Throws AppError `invalid`, `not_found`, `conflict`.
 */
export async function updateRepository(
  needs: RepositoriesNeeds,
  id: number,
  input: RepositoryChanges,
): Promise<RepositoryWritten> {
  await changeRepository(needs, id, { input });
  const repository = await viewRepository(needs.storage, id);
  const warnings = [
    ...(await remarksOn(needs, id, input)),
    ...ignoredFields(input, repositoryChanges, reasons),
  ];
  const message = `Repository ${repository.name} was updated.`;
  return { success: true, message, repository, ...(warnings.length > 0 ? { warnings } : {}) };
}

export interface Change {
  input: RepositoryChanges;
  /** What else belongs to the same transaction, after the change. */
  also?(session: StorageSession): Promise<void>;
}

/** Changes settings without an answer. `also` may run several times. Throws as `updateRepository`. */
export async function changeRepository(needs: RepositoriesNeeds, id: number, change: Change): Promise<void> {
  checkGiven(needs.driver, change.input);
  for (let attempt = 1; !(await tryUpdate(needs, id, change)); attempt++) {
    if (attempt === maxAttempts) {
      throw conflict(say`repository_busy: Other requests keep changing this repository: try again.`);
    }
  }
}

export async function remarksOn(
  needs: RepositoriesNeeds,
  id: number,
  input: RepositoryChanges,
): Promise<string[]> {
  if (!changesSources(input)) return [];
  return sourceRemarks(needs, await findRepository(needs.storage, { repository_id: id }));
}

const changesSources = (input: RepositoryChanges): boolean =>
  input.source_directories !== undefined ||
  input.source_connection_id !== undefined ||
  input.exclude_patterns !== undefined ||
  input.custom_flags !== undefined ||
  typeof input.source_set_id === 'number';

const unchangeable = 'was ignored: it is fixed when a repository is created.';
const reasons = {
  encryption: unchangeable,
  passphrase: unchangeable,
  keyfile_content: 'was ignored: use POST /api/repositories/{id}/keyfile.',
};

type Patch = Partial<RepositoryRow>;

/** False when the row changed since it was read. Then nothing was written, and all checks must be repeated. */
async function tryUpdate(needs: RepositoriesNeeds, id: number, { input, also }: Change): Promise<boolean> {
  const row = await findRepository(needs.storage, { repository_id: id });
  const patch = await plannedPatch(needs, row, input);
  const moves = patch.path !== undefined;
  const work = () =>
    inTransaction(needs.storage, async (session) => {
      if (moves) await refuseWhileJobs(session, id);
      if (patch.mode === 'full' && row.mode !== 'full')
        await refuseSecondWriter(session, { toolId: row.tool_id, mode: 'full', ownId: id });
      const current = await withSetValues(session, patch);
      const matched = await session.update(repositories, { id, updated_at: row.updated_at }, current);
      if (matched === 0) return null;
      await also?.(session);
      const data = { name: patch.name ?? row.name, fields: Object.keys(input) };
      return needs.events.record(session, {
        kind: 'repository_updated',
        repositoryId: id,
        jobId: null,
        data,
      });
    });
  const event = await reportTaken(work);
  if (event) needs.events.announce([event]);
  return event !== null;
}

async function plannedPatch(
  needs: RepositoriesNeeds,
  row: RepositoryRow,
  input: RepositoryChanges,
): Promise<Patch> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => isGiven(value)));
  const sources = input.sources ? storedSources(needs, input.sources, row.sources) : row.sources;
  const settings = await withSetValues(needs.storage, settingsOf({ ...row, ...given, sources }));
  refuseBesideSet(input, settings, { isNew: false });
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

/** A masked value that is sent back means unchanged. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== maskedValue;

/** The id of a deleted source connection stays until another one, or none, is chosen. */
const concernsSources = ({
  source_connection_id,
  exclude_patterns,
  custom_flags,
  source_set_id,
}: RepositoryChanges): boolean =>
  typeof source_connection_id === 'number' ||
  typeof source_set_id === 'number' ||
  (source_connection_id === undefined && (exclude_patterns ?? custom_flags ?? null) !== null);

async function plannedPath(
  needs: RepositoriesNeeds,
  row: RepositoryRow,
  { input, settings }: { input: RepositoryChanges; settings: RepositorySettings },
): Promise<string> {
  const connection = await placeConnection(needs.storage, settings);
  const place = { connection, settings, ownId: row.id };
  const moves = settings.connection_id !== row.connection_id;
  const text = input.path?.trim() ?? row.path;
  if (!moves && text === row.path) {
    const checks = changesSources(input);
    if (checks && connection === null && isRemoteLocation(row.path)) return row.path;
    if (checks) await checkPlannedPlace(needs, { ...place, path: row.path });
    return row.path;
  }
  return planPlace(needs, { ...place, text: moves && connection === null ? pathOf(text) : text });
}

/** The settings that creating, importing and updating have in common, as they are stored. */
export type RepositorySettings = Pick<RepositoryRow, (typeof settingColumns)[number]>;
const settingColumns = [...shownSettings, 'connection_id', 'source_connection_id'] as const;

/** Whatever may be null may be absent. */
type Given<S> = { [K in keyof S as null extends S[K] ? never : K]: S[K] } & {
  [K in keyof S as null extends S[K] ? K : never]?: S[K] | undefined;
};

/** The columns for a whole set of settings; an empty text becomes null. */
export function settingsOf(given: Given<RepositorySettings>): RepositorySettings {
  const columns = settingColumns.map((name) => [name, isBlank(given[name]) ? null : given[name]]);
  const stored = Object.fromEntries(columns) as RepositorySettings;
  return {
    ...stored,
    source_directories: [...new Set(given.source_directories)],
    remote_path: stored.remote_path?.trim() ?? null,
  };
}

const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '');

/** Checks each given setting on its own. Throws AppError `invalid`. */
export function checkGiven(driver: Pick<BackupDriver, 'checkCustomFlags'>, given: RepositoryChanges): void {
  checkSources(given.source_directories ?? []);
  const compression = given.compression === undefined ? null : compressionProblem(given.compression);
  if (compression) throw invalid(compression);
  checkCustomFlags(driver, given.custom_flags);
}

/** Throws AppError `invalid`. */
export function checkCustomFlags(
  driver: Pick<BackupDriver, 'checkCustomFlags'>,
  flags?: string | null,
): void {
  const problems = driver.checkCustomFlags(parseCustomFlags(flags ?? null));
  if (problems.length > 0)
    throw invalid(say`custom_flags_rejected: custom_flags: ${{ problems: problems.join(' ') }}`);
}

/** Checks the settings in combination. Throws AppError `invalid`. */
export function checkTogether(settings: RepositorySettings): void {
  if (settings.mode === 'full')
    requireSources(
      settings,
      say`full_mode_without_sources: Full mode needs at least one directory, or a source such as a database: add one, or set mode to observe.`,
    );
  if (settings.bypass_lock && settings.mode !== 'observe') {
    throw invalid(
      say`bypass_lock_outside_observe_mode: bypass_lock is only for observe mode: set it to false, or set mode to observe.`,
    );
  }
}
