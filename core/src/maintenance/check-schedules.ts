import type { CheckScheduleChanges, CheckScheduleView, CheckScheduleWritten } from '@holdfast/contracts';
import { isStoreError, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { parseCron, slotTimers, tidyCron } from '../calendar/index.js';
import { inTransaction, invalid, isoTime, lastErrorColumns, say, shownParams } from '../kernel/index.js';
import { findRepository } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { cannotCheck } from './check.js';
import type { MaintenanceNeeds } from './needs.js';
import { type CheckScheduleRow, checkSchedules, retentionPauses } from './tables.js';

type Needs = Pick<MaintenanceNeeds, 'storage' | 'clock' | 'timers' | 'log' | 'driver' | 'events'>;
type Settings = Omit<CheckScheduleRow, 'id' | 'repository_id'>;

/**
 * Changes the given fields. Throws AppError `not_found`; `invalid` for a bad cron expression, time zone or
 * combination.
 */
export const putCheckSchedule =
  (needs: Needs) =>
  async (repositoryId: number, input: CheckScheduleChanges): Promise<CheckScheduleWritten> => {
    if (!needs.driver.check) throw invalid(cannotCheck);
    const now = needs.clock.now();
    const { row, name } = await inTransaction(needs.storage, async (session) => {
      const repository = await findRepository(session, { repository_id: repositoryId });
      const before = await findCheckSchedule(session, repositoryId);
      const after = changed(before ?? noCheckSchedule, input, now);
      const row = await write(session, { before, after, repositoryId });
      const data = { check_schedule: true, change: before ? 'updated' : 'created', enabled: row.enabled };
      await needs.events.record(session, { kind: 'schedule_changed', repositoryId, jobId: null, data });
      return { row, name: repository.name };
    });
    needs.events.nudge();
    setCheckTimer(needs, row);
    return {
      success: true,
      message: row.enabled ? `Checks of ${name} are scheduled.` : `Checks of ${name} are disabled.`,
      repository: { id: repositoryId, name, ...checkScheduleView(row) },
    };
  };

function changed(before: Settings, input: CheckScheduleChanges, now: number): Settings {
  const { cron_expression: given, ...others } = input;
  const defined = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const cron = given === undefined ? before.cron_expression : tidyCron(given ?? '') || null;
  const { id: _, repository_id: __, ...settings } = before as Partial<CheckScheduleRow> & Settings;
  const after: Settings = { ...settings, ...defined, cron_expression: cron, enabled: cron !== null };
  if (after.verify_data && after.max_duration > 0) {
    throw invalid(
      say(
        'check_limit_with_verify_data',
      )`verify_data requires max_duration 0: a check with a time limit cannot verify all data.`,
    );
  }
  const rule = parseCron(cron ?? '0 0 * * *', after.timezone);
  if (cron === null) return { ...after, next_run: null, ...lastErrorColumns(null) };
  const same = cron === before.cron_expression && after.timezone === before.timezone;
  return same && before.next_run !== null
    ? after
    : { ...after, next_run: rule.next(now), ...lastErrorColumns(null) };
}

/** The settings of a check schedule that was removed, with its next run from now on. */
export const plannedAgain = (before: CheckScheduleRow, now: number): Settings =>
  changed({ ...before, next_run: null }, {}, now);

async function write(
  session: StorageSession,
  { before, after, repositoryId }: { before: CheckScheduleRow | null; after: Settings; repositoryId: number },
): Promise<CheckScheduleRow> {
  if (before) {
    await session.update(checkSchedules, { id: before.id }, after);
    return { ...before, ...after };
  }
  try {
    return await session.insert(checkSchedules, { ...after, repository_id: repositoryId });
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw new StoreError('conflict', 'Another request created the check schedule.', { cause: error });
  }
}

/** Defaults for a repository without a check schedule. */
const noCheckSchedule: Omit<CheckScheduleRow, 'id' | 'repository_id'> = {
  cron_expression: null,
  timezone: 'UTC',
  enabled: false,
  max_duration: 3600,
  verify_data: false,
  notify_on_success: false,
  notify_on_failure: true,
  last_run: null,
  last_planned: null,
  next_run: null,
  ...lastErrorColumns(null),
};

async function findCheckSchedule(
  session: StorageSession,
  repositoryId: number,
): Promise<CheckScheduleRow | null> {
  const [row] = await session.find(checkSchedules, { where: { repository_id: repositoryId }, limit: 1 });
  return row ?? null;
}

/** Throws AppError `not_found`. */
export const getCheckSchedule =
  ({ storage }: Pick<MaintenanceNeeds, 'storage'>) =>
  async (repositoryId: number): Promise<CheckScheduleView & { success: true }> => {
    const { id, name, path } = await findRepository(storage, { repository_id: repositoryId });
    const row = (await findCheckSchedule(storage, id)) ?? noCheckSchedule;
    return {
      success: true,
      ...{ repository_id: id, repository_name: name, repository_path: path },
      ...checkScheduleView(row),
      enabled: row.enabled,
    };
  };

const checkScheduleView = (row: Omit<CheckScheduleRow, 'id' | 'repository_id'>) => ({
  check_cron_expression: row.cron_expression,
  timezone: row.timezone,
  last_scheduled_check: isoTime(row.last_run),
  next_scheduled_check: isoTime(row.next_run),
  check_max_duration: row.max_duration,
  check_verify_data: row.verify_data,
  notify_on_check_success: row.notify_on_success,
  notify_on_check_failure: row.notify_on_failure,
  last_error: row.last_error,
  last_error_code: row.last_error_code,
  last_error_params: shownParams(row.last_error_params),
});

export const { isOwn: isCheckTimer, set: setCheckTimer } = slotTimers('check:');

/** Runs in the transaction that removes the repository. */
export async function forgetInMaintenance(
  session: StorageSession,
  { repository }: { repository: RepositoryRow },
): Promise<[]> {
  await session.remove(checkSchedules, { repository_id: repository.id });
  await session.remove(retentionPauses, { repository_id: repository.id });
  return [];
}
