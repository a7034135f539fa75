import type { CheckScheduleChanges, CheckScheduleView, CheckScheduleWritten } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { type Caller, invalid, isoTime, say } from '../../foundation/kernel/index.js';
import { type Forgotten, findRepository } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import {
  changedPlan,
  findPlan,
  noPlan,
  type PlanSettings,
  planError,
  putPlan,
  repositoryPlans,
} from '../schedules/calendar/index.js';
import { cannotCheck } from './check.js';
import type { CheckParameters } from './maintenance-job.rules.js';
import type { MaintenanceNeeds } from './needs.js';
import { type CheckScheduleRow, checkSchedules, retentionPauses } from './tables.js';

type Settings = PlanSettings<CheckScheduleRow>;

/**
 * Changes the given fields. Throws AppError `not_found`; `invalid` for a bad cron expression, time zone or
 * combination.
 */
export async function putCheckSchedule(
  needs: MaintenanceNeeds,
  repositoryId: number,
  input: CheckScheduleChanges,
  caller?: Caller,
): Promise<CheckScheduleWritten> {
  if (!needs.driver.check) throw invalid(cannotCheck);
  const { row, name } = await putPlan(needs, plannedChecks, {
    repositoryId,
    caller,
    change: (before, now) => changed(before ?? noCheckSchedule, input, now),
  });
  return {
    success: true,
    message: row.enabled ? `Checks of ${name} are scheduled.` : `Checks of ${name} are disabled.`,
    repository: { id: repositoryId, name, ...checkScheduleView(row) },
  };
}

function changed(before: Settings, input: CheckScheduleChanges, now: number): Settings {
  const after = changedPlan<Settings>(before, input, now);
  if (after.verify_data && after.max_duration > 0) {
    throw invalid(
      say`check_limit_with_verify_data: verify_data requires max_duration 0: a check with a time limit cannot verify all data.`,
    );
  }
  return after;
}

/** Defaults for a repository without a check schedule. */
const noCheckSchedule: Settings = {
  ...noPlan,
  max_duration: 3600,
  verify_data: false,
  notify_on_success: false,
  notify_on_failure: true,
};

/** Throws AppError `not_found`. */
export async function getCheckSchedule(
  { storage }: Pick<MaintenanceNeeds, 'storage'>,
  repositoryId: number,
): Promise<CheckScheduleView & { success: true }> {
  const { id, name, path } = await findRepository(storage, { repository_id: repositoryId });
  const row = (await findPlan<CheckScheduleRow>(storage, checkSchedules, id)) ?? noCheckSchedule;
  return {
    success: true,
    repository_id: id,
    repository_name: name,
    repository_path: path,
    ...checkScheduleView(row),
    enabled: row.enabled,
  };
}

const checkScheduleView = (row: Settings) => ({
  check_cron_expression: row.cron_expression,
  timezone: row.timezone,
  last_scheduled_check: isoTime(row.last_run),
  next_scheduled_check: isoTime(row.next_run),
  check_max_duration: row.max_duration,
  check_verify_data: row.verify_data,
  notify_on_check_success: row.notify_on_success,
  notify_on_check_failure: row.notify_on_failure,
  ...planError(row),
});

export const plannedChecks = repositoryPlans<CheckScheduleRow>({
  table: checkSchedules,
  kind: 'check',
  titleOf: (repository) => `Checks of ${repository}`,
  parametersOf: ({ max_duration: maxSeconds, verify_data: verifyData }, plannedAt): CheckParameters => ({
    maxSeconds,
    verifyData,
    repair: false,
    plannedAt,
  }),
  skipped: (at, { id: job_id, status }) =>
    say`check_skipped: The check of ${{ at }} was skipped: check job ${{ job_id }} was still ${{ status }}.`,
});

/** Runs in the transaction that removes the repository. */
export async function forgetInMaintenance(
  session: StorageSession,
  { repository }: { repository: RepositoryRow },
): Promise<Forgotten> {
  await session.remove(checkSchedules, { repository_id: repository.id });
  await session.remove(retentionPauses, { repository_id: repository.id });
  return {};
}
