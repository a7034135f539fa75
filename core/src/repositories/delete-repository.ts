import type { StorageSession } from '@holdfast/plugin-api';
import { type Encryption, isDriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../events/index.js';
import type { EventRow } from '../events/tables.js';
import { forgetInJobs } from '../jobs/index.js';
import { jobs } from '../jobs/tables.js';
import { conflict, inTransaction } from '../kernel/index.js';
import { isRemoteLocation } from '../ssh/index.js';
import { hasKeyFile } from './key-file.js';
import type { RepositoriesNeeds } from './needs.js';
import { findRepository } from './repositories.js';
import { archives, type RepositoryRow, repositories } from './tables.js';
import { withTool } from './tool-failure.js';

/**
 * What another room does when a registration is removed, in its transaction. The events are announced after the commit.
 */
export type ForgetRepository = (
  session: StorageSession,
  gone: { repository: RepositoryRow; events: Pick<EventBus, 'record'> },
) => Promise<EventRow[]>;

/**
 * Removes the registration; the repository on disk stays. Jobs of the past stay without it. AppError
 * `not_found`, or `conflict` while a job of it waits or runs.
 */
export const deleteRepository =
  (
    needs: Pick<RepositoriesNeeds, 'storage' | 'events' | 'driver' | 'log'>,
    elsewhere: readonly ForgetRepository[],
  ) =>
  async (id: number) => {
    const { storage, events } = needs;
    const { row, recorded } = await inTransaction(storage, async (session) => {
      const row = await findRepository(session, { repository_id: id });
      await refuseWhileJobs(session, id);
      await session.remove(archives, { repository_id: id });
      const recorded: EventRow[] = [];
      for (const forget of elsewhere) recorded.push(...(await forget(session, { repository: row, events })));
      await forgetInJobs(session, id);
      await session.remove(repositories, { id });
      const data = { name: row.name, path: row.path };
      const event = await events.record(session, {
        kind: 'repository_deleted',
        repositoryId: id,
        jobId: null,
        data,
      });
      return { row, recorded: [...recorded, event] };
    });
    events.announce(recorded);
    await forgetCaches(needs, row.uid);
    const message = `Repository ${row.name} was unregistered; its data at ${row.path} is untouched.`;
    return { success: true as const, message };
  };

type Needs = Pick<RepositoriesNeeds, 'driver' | 'files'>;

/** Whether no repository is at the place of the target. AppError when that can't be found out. */
export async function isFreeOfRepositories(
  { driver, files }: Needs,
  target: RepositoryTarget,
): Promise<boolean> {
  const { location } = target;
  if (!isRemoteLocation(location)) return isBare(files, location);
  try {
    await driver.open(target, {});
    return false;
  } catch (error) {
    if (holdsNone(error)) return true;
    if (isDriverError(error, 'connection') || isDriverError(error, 'host_key_changed')) {
      return withTool(() => Promise.reject(error));
    }
    return false;
  }
}

/**
 * The tool's id of the repository that a process made here before it died; null when it had not come so far. AppError
 * `conflict` when what is there is not that, or of no use.
 */
export async function findLeft(
  { driver, files }: Needs,
  { target, encryption }: { target: RepositoryTarget; encryption: Encryption },
): Promise<string | null> {
  const { location } = target;
  if (!isRemoteLocation(location) && (await isBare(files, location))) return null;
  try {
    const { value } = await driver.open(target, {});
    const listed = await driver.listArchives(target, { checkpoints: true });
    if (value.encryption === encryption && listed.value.length === 0) return value.id;
  } catch (error) {
    if (holdsNone(error)) return null;
    for (const kind of ['connection', 'host_key_changed', 'locked'] as const) {
      if (isDriverError(error, kind)) return withTool(() => Promise.reject(error));
    }
    if (!isDriverError(error)) throw error;
    throw ofNoUse(location, hasKeyFile(encryption), error);
  }
  throw conflict(
    'A repository that is in use, or of another encryption, is at this path by now: use POST /api/repositories/import.',
  );
}

const isBare = async (files: Needs['files'], path: string) =>
  (await files.kind(path)) === 'missing' || (await files.isEmptyDirectory(path));

const holdsNone = (error: unknown) =>
  isDriverError(error, 'repository_missing') || isDriverError(error, 'not_a_repository');

const ofNoUse = (location: string, withKeyFile: boolean, cause: unknown) =>
  conflict(
    `An earlier call was cut short while it made a repository at ${location}, and what it left can't be opened` +
      `${withKeyFile ? ', for its key file was lost' : ' with this passphrase'}: remove that folder, or choose another path.`,
    { cause },
  );

/**
 * AppError `conflict` while a job of the repository waits or runs. Ask in the transaction that relies on
 * it.
 */
export async function refuseWhileJobs(session: StorageSession, repositoryId: number): Promise<void> {
  const [job] = await session.find(jobs, {
    where: { repository_id: repositoryId, status: { in: ['pending', 'running'] } },
    limit: 1,
  });
  if (!job) return;
  const what = `${job.kind.replace('_', ' ')} job ${job.id}`;
  throw conflict(`The ${what} of this repository is ${job.status}: wait for its end, or cancel it first.`);
}

/** Lets the tool drop what it keeps for a repository on this machine; that it can't is no reason to fail. */
export async function forgetCaches(
  { driver, log }: Pick<RepositoriesNeeds, 'driver' | 'log'>,
  uid: string,
): Promise<void> {
  try {
    await driver.forget({ uid });
  } catch (error) {
    log.warn('the caches of a repository that is not registered stay on disk', { uid, error });
  }
}
