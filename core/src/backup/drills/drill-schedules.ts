import type { DrillScheduleChanges, DrillScheduleView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { type Caller, invalid, isoTime, say } from '../../foundation/kernel/index.js';
import { parseArchivePath } from '../archives/index.js';
import { findRepository } from '../repositories/index.js';
import {
  changedPlan,
  findPlan,
  noPlan,
  type PlanSettings,
  planError,
  putPlan,
  repositoryPlans,
} from '../schedules/calendar/index.js';
import { coveragePercent } from './coverage.rules.js';
import type { DrillParameters } from './drill.rules.js';
import type { DrillsNeeds } from './needs.js';
import { cannotDrill } from './run-drill.js';
import { type DrillScheduleRow, type DrillStandingRow, drillSchedules, drillStandings } from './tables.js';

type Settings = PlanSettings<DrillScheduleRow>;

/**
 * Changes the given fields. Throws AppError `not_found`; `invalid` for a bad cron expression, time zone or path.
 */
export async function putDrillSchedule(
  needs: DrillsNeeds,
  repositoryId: number,
  input: DrillScheduleChanges,
  caller?: Caller,
): Promise<DrillScheduleView & { success: true; message: string }> {
  if (!needs.driver.extract) throw invalid(cannotDrill);
  const { row, name } = await putPlan(needs, plannedDrills, {
    repositoryId,
    caller,
    change: (before, now) => changed(before ?? noDrillSchedule, input, now),
  });
  const message = row.enabled ? `Drills of ${name} are scheduled.` : `Drills of ${name} are not scheduled.`;
  const standing = await findStanding(needs.storage, repositoryId);
  const view = drillScheduleView(row, standing, needs.clock.now());
  return { success: true, message, repository_id: repositoryId, repository_name: name, ...view };
}

const changed = (before: Settings, input: DrillScheduleChanges, now: number): Settings =>
  changedPlan<Settings>(before, { ...input, fixed_paths: input.fixed_paths?.map(fixedPath) }, now);

function fixedPath(text: string): string {
  const path = parseArchivePath(text, 'fixed_paths');
  if (path !== '') return path;
  throw invalid(
    say`drill_fixed_path_is_root: fixed_paths must name files or folders, not the whole archive.`,
  );
}

/** Defaults for a repository without a drill schedule. */
export const noDrillSchedule: Settings = {
  ...noPlan,
  sample_files: 200,
  sample_bytes: 1_000_000_000,
  fixed_paths: [],
};

export const findDrillSchedule = (session: Pick<StorageSession, 'find'>, repositoryId: number) =>
  findPlan<DrillScheduleRow>(session, drillSchedules, repositoryId);

async function findStanding(session: Pick<StorageSession, 'find'>, repositoryId: number) {
  const [row] = await session.find(drillStandings, { where: { repository_id: repositoryId }, limit: 1 });
  return row ?? null;
}

/** Throws AppError `not_found`. */
export async function getDrillSchedule(
  { storage, clock }: Pick<DrillsNeeds, 'storage' | 'clock'>,
  repositoryId: number,
): Promise<DrillScheduleView & { success: true }> {
  const { id, name } = await findRepository(storage, { repository_id: repositoryId });
  const row = (await findDrillSchedule(storage, id)) ?? noDrillSchedule;
  const view = drillScheduleView(row, await findStanding(storage, id), clock.now());
  return { success: true, repository_id: id, repository_name: name, ...view };
}

const drillScheduleView = (row: Settings, standing: DrillStandingRow | null, now: number) => ({
  cron_expression: row.cron_expression,
  timezone: row.timezone,
  enabled: row.enabled,
  sample_files: row.sample_files,
  sample_bytes: row.sample_bytes,
  fixed_paths: row.fixed_paths,
  last_run: isoTime(row.last_run),
  next_run: isoTime(row.next_run),
  ...planError(row),
  ...lastProofView(standing, now),
});

/** The fields about drill coverage and the last verified restore. */
export const lastProofView = (
  standing: Pick<DrillStandingRow, 'passed_at' | 'coverage'> | null,
  now: number,
) => ({
  last_verified_restore: isoTime(standing?.passed_at ?? null),
  coverage_percent: coveragePercent(standing?.coverage ?? null, now),
});

export const parametersOf = (
  {
    sample_files,
    sample_bytes,
    fixed_paths,
  }: Pick<DrillScheduleRow, 'sample_files' | 'sample_bytes' | 'fixed_paths'>,
  plannedAt: number | null,
): DrillParameters => ({
  sampleFiles: sample_files,
  sampleBytes: sample_bytes,
  fixedPaths: fixed_paths,
  plannedAt,
});

export const plannedDrills = repositoryPlans<DrillScheduleRow>({
  table: drillSchedules,
  kind: 'drill',
  titleOf: (repository) => `Drills of ${repository}`,
  parametersOf,
  skipped: (at, { id: job_id, status }) =>
    say`drill_skipped: The drill of ${{ at }} was skipped: drill job ${{ job_id }} was still ${{ status }}.`,
});
