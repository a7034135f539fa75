import type { SelfBackupView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { openErrorOf, type RepositoryRow, repositories } from '../../../backup/repositories/index.js';
import {
  afterPause,
  pauseAt,
  pauseOfAll,
  type ScheduleRow,
  scheduleRepositories,
  schedules,
} from '../../../backup/schedules/index.js';
import { isRemoteLocation } from '../../../backup/ssh/index.js';
import { jobs } from '../../../engine/jobs/index.js';
import {
  isoTime,
  lastErrorColumns,
  lastErrorOf,
  type Message,
  messageOfColumns,
  say,
  shownParams,
} from '../../../foundation/kernel/index.js';
import type { RecoveryNeeds } from '../needs.js';
import { isOnDataDisk, suggestPlace } from './place.js';

/** The repository of the self-backup and its first schedule; null for each that is missing. */
export async function findOwn(
  storage: StorageSession,
): Promise<{ repository: RepositoryRow | null; schedule: ScheduleRow | null }> {
  const [repository = null] = await storage.find(repositories, {
    where: { self_backup: true, removed_at: null },
    limit: 1,
  });
  if (!repository) return { repository, schedule: null };
  const links = await storage.find(scheduleRepositories, { where: { repository_id: repository.id } });
  const ids = links.map(({ schedule_id }) => schedule_id);
  const [schedule = null] = await storage.find(schedules, { where: { id: { in: ids } }, limit: 1 });
  return { repository, schedule };
}

export interface SelfBackupFacts {
  /** Null: it was never switched on. */
  path: string | null;
  enabled: boolean;
  /** Milliseconds since the epoch. */
  lastBackup: number | null;
}

/** For `doctor`, which knows only the database. */
export async function selfBackupFacts(storage: StorageSession): Promise<SelfBackupFacts> {
  const { repository, schedule } = await findOwn(storage);
  const { path = null, last_backup: lastBackup = null } = repository ?? {};
  return { path, enabled: schedule?.enabled ?? false, lastBackup };
}

type Own = Awaited<ReturnType<typeof findOwn>>;

const settingsIn = ({ repository, schedule }: Own) => ({
  success: true as const,
  enabled: schedule?.enabled ?? false,
  repository_id: repository?.id ?? null,
  schedule_id: schedule?.id ?? null,
  path: repository?.path ?? null,
  connection_id: repository?.connection_id ?? null,
  cron_expression: schedule?.cron_expression ?? null,
  timezone: schedule?.timezone ?? null,
});

/** The fields of the view that users can set. */
export const selfBackupSettings = async (storage: StorageSession) => settingsIn(await findOwn(storage));

export async function getSelfBackup(needs: RecoveryNeeds): Promise<SelfBackupView> {
  const { storage } = needs;
  const { repository, schedule } = await findOwn(storage);
  const pause = pauseAt(needs.clock.now(), schedule?.pause_until ?? null, await pauseOfAll(storage));
  const error = repository && (await lastError(storage, repository, schedule));
  const isLocal = repository !== null && !isRemoteLocation(repository.path);
  const same_disk = isLocal && (await isOnDataDisk(needs, repository.path).catch(() => false));
  return {
    ...settingsIn({ repository, schedule }),
    suggested_path: repository ? null : await suggestPlace(needs),
    same_disk,
    last_backup_at: isoTime(repository?.last_backup ?? null),
    next_run: schedule?.enabled ? isoTime(afterPause(schedule, pause)) : null,
    ...lastErrorColumns(error),
    last_error_params: shownParams(error?.params ?? null),
    warnings: same_disk ? [sameDisk.text] : [],
  };
}

const sameDisk = say`self_backup_on_data_disk: The backup of Holdfast itself is on the same disk as the data folder and would be lost with it: choose another disk or another host.`;

/** Why the newest backup failed, or why none could run; null when all is well. */
async function lastError(
  storage: StorageSession,
  repository: RepositoryRow,
  schedule: ScheduleRow | null,
): Promise<Message | null> {
  const where = { repository_id: repository.id, kind: 'backup', status: { not: 'pending' } } as const;
  const order = [['id', 'desc']] as const;
  const [last] = await storage.find(jobs, { where, order, limit: 1 });
  if (last && ['failed', 'cancelled'].includes(last.status)) {
    const { error_message, error_code, error_params } = last;
    return error_message === null
      ? say`self_backup_cancelled: Backup job ${{ job_id: last.id }} was cancelled.`
      : messageOfColumns(error_message, error_code, error_params);
  }
  return openErrorOf(repository) ?? (schedule && lastErrorOf(schedule));
}
