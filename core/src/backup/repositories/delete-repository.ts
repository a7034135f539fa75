import type { SwitchedOff } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { type Encryption, isDriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { forgetInJobs, jobs } from '../../engine/jobs/index.js';
import type { EventBus, EventRow } from '../../foundation/events/index.js';
import { conflict, inTransaction, say } from '../../foundation/kernel/index.js';
import { isRemoteLocation } from '../ssh/index.js';
import { linksOf } from './former-links.js';
import { hasKeyFile } from './key-file.js';
import type { RepositoriesNeeds } from './needs.js';
import { findRepository } from './repositories.js';
import { asCandidate, type CandidateNeeds, forgetCaches } from './repository-making.js';
import { type FormerLinks, type RepositoryRow, repositories } from './tables.js';
import { withTool } from './tool-failure.js';

/** What another room did when a registration was removed. */
export interface Forgotten {
  /** Announced after the commit. */
  events?: EventRow[];
  links?: Partial<FormerLinks>;
  switchedOff?: Partial<SwitchedOff>;
}

/** What another room does in the transaction that removes a registration. */
export type ForgetRepository = (
  session: StorageSession,
  gone: { repository: RepositoryRow; events: Pick<EventBus, 'record'> },
) => Promise<Forgotten>;

/**
 * Removes the registration; the repository on disk and its ended jobs stay, and so does a row without secrets, which an
 * import takes up again. Throws AppError `not_found`, or
 * `conflict` while one of its jobs is pending or running.
 */
export async function deleteRepository(
  needs: RepositoriesNeeds,
  elsewhere: readonly ForgetRepository[],
  id: number,
) {
  const { storage, events, clock } = needs;
  const { row, switchedOff, recorded } = await inTransaction(storage, async (session) => {
    const row = await findRepository(session, { repository_id: id });
    await refuseWhileJobs(session, id);
    const { links, switchedOff } = await linksOf(session, id);
    const recorded: EventRow[] = [];
    for (const forget of elsewhere) {
      const forgotten = await forget(session, { repository: row, events });
      recorded.push(...(forgotten.events ?? []));
      Object.assign(links, forgotten.links);
      Object.assign(switchedOff, forgotten.switchedOff);
    }
    await forgetInJobs(session, id);
    await session.update(repositories, { id }, removedRow(row, { links, at: clock.now() }));
    const data = { name: row.name, path: row.path };
    const event = await events.record(session, {
      kind: 'repository_deleted',
      repositoryId: id,
      jobId: null,
      data,
    });
    return { row, switchedOff, recorded: [...recorded, event] };
  });
  events.announce(recorded);
  await forgetCaches(needs, row.uid);
  const message = `Repository ${row.name} was removed from Holdfast; its data at ${row.path} was not changed.`;
  return { success: true as const, message, switched_off: switchedOff };
}

/** The row without secrets, and with a name and a path that nobody else wants. */
const removedRow = (
  { uid, tool_id }: RepositoryRow,
  { links, at }: { links: FormerLinks; at: number },
): Partial<RepositoryRow> => ({
  name: `removed ${uid} ${tool_id}`,
  path: `removed:${uid}`,
  removed_at: at,
  former: links,
  passphrase: null,
  next_passphrase: null,
  key_file: null,
  pre_backup_script: null,
  post_backup_script: null,
  source_directories: [],
  exclude_patterns: [],
  custom_flags: null,
  remote_path: null,
  connection_id: null,
  source_connection_id: null,
  source_set_id: null,
});

type Needs = Pick<RepositoriesNeeds, 'driver' | 'files'>;

/** True when there is no repository at the location of the target. Throws AppError when this can't be determined. */
export async function isFreeOfRepositories(
  needs: Needs & CandidateNeeds,
  target: Omit<RepositoryTarget, 'uid'>,
): Promise<boolean> {
  const { location } = target;
  if (!isRemoteLocation(location)) return isVacant(needs.files, location);
  try {
    await asCandidate(needs, (uid) => needs.driver.open({ ...target, uid }, {}));
    return false;
  } catch (error) {
    if (isMissing(error)) return true;
    if (isDriverError(error, 'connection') || isDriverError(error, 'host_key_changed')) {
      return withTool(() => Promise.reject(error));
    }
    return false;
  }
}

/**
 * The tool's id of the repository that a process created here before it died; null when it had created none. Throws
 * AppError `conflict` when there is something else, or it can't be used.
 */
export async function findLeftover(
  { driver, files }: Needs,
  { target, encryption }: { target: RepositoryTarget; encryption: Encryption },
): Promise<string | null> {
  const { location } = target;
  if (!isRemoteLocation(location) && (await isVacant(files, location))) return null;
  try {
    const { value } = await driver.open(target, {});
    const listed = await driver.listArchives(target, { checkpoints: true });
    if (value.encryption === encryption && listed.value.length === 0) return value.id;
  } catch (error) {
    if (isMissing(error)) return null;
    for (const kind of ['connection', 'host_key_changed', 'locked'] as const) {
      if (isDriverError(error, kind)) return withTool(() => Promise.reject(error));
    }
    if (!isDriverError(error)) throw error;
    throw unusableLeftover(location, hasKeyFile(encryption), error);
  }
  throw conflict(
    say`other_repository_exists: There is already a repository at this path that is in use or has different encryption: use POST /api/repositories/import.`,
  );
}

const isVacant = async (files: Needs['files'], path: string) =>
  (await files.kind(path)) === 'missing' || (await files.isEmptyDirectory(path));

const isMissing = (error: unknown) =>
  isDriverError(error, 'repository_missing') || isDriverError(error, 'not_a_repository');

const unusableLeftover = (location: string, withKeyFile: boolean, cause: unknown) =>
  conflict(
    withKeyFile
      ? say`interrupted_repository_without_key: An earlier call was interrupted while creating a repository at ${{ path: location }}, and the unfinished repository can't be opened because the key file was lost: remove that folder, or choose another path.`
      : say`interrupted_repository_not_openable: An earlier call was interrupted while creating a repository at ${{ path: location }}, and the unfinished repository can't be opened with this passphrase: remove that folder, or choose another path.`,
    { cause },
  );

/**
 * Throws AppError `conflict` while a job of the repository is pending or running. Call it in the transaction that
 * relies on it.
 */
export async function refuseWhileJobs(session: StorageSession, repositoryId: number): Promise<void> {
  const [job] = await session.find(jobs, {
    where: { repository_id: repositoryId, status: { in: ['pending', 'running'] } },
    limit: 1,
  });
  if (!job) return;
  const { id, status } = job;
  const kind = job.kind.replace('_', ' ');
  throw conflict(
    say`repository_job_unfinished: The ${{ kind }} job ${{ id }} of this repository is ${{ status }}: wait until it ends, or cancel it first.`,
  );
}
