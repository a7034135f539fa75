import type { DrillScheduleChanges, DrillScheduleView } from '@holdfast/contracts';
import { isStoreError, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { parseArchivePath } from '../archives/index.js';
import { parseCron, slotTimers, tidyCron } from '../calendar/index.js';
import { inTransaction, invalid, isoTime, lastErrorColumns, say, shownParams } from '../kernel/index.js';
import { findRepository } from '../repositories/index.js';
import { coveragePercent } from './coverage.rules.js';
import type { DrillsNeeds } from './needs.js';
import { cannotDrill } from './run-drill.js';
import { type DrillScheduleRow, type DrillStandingRow, drillSchedules, drillStandings } from './tables.js';

type Needs = Pick<DrillsNeeds, 'storage' | 'clock' | 'timers' | 'log' | 'driver' | 'events'>;
type Settings = Omit<DrillScheduleRow, 'id' | 'repository_id'>;

/**
 * Changes the given fields. Throws AppError `not_found`; `invalid` for a bad cron expression, time zone or path.
 */
export const putDrillSchedule =
  (needs: Needs) =>
  async (
    repositoryId: number,
    input: DrillScheduleChanges,
  ): Promise<DrillScheduleView & { success: true; message: string }> => {
    if (!needs.driver.extract) throw invalid(cannotDrill);
    const now = needs.clock.now();
    const { row, name, standing } = await inTransaction(needs.storage, async (session) => {
      const repository = await findRepository(session, { repository_id: repositoryId });
      const before = await findDrillSchedule(session, repositoryId);
      const after = changed(before ?? noDrillSchedule, input, now);
      const row = await write(session, { before, after, repositoryId });
      const data = { drill_schedule: true, change: before ? 'updated' : 'created', enabled: row.enabled };
      await needs.events.record(session, { kind: 'schedule_changed', repositoryId, jobId: null, data });
      return { row, name: repository.name, standing: await findStanding(session, repositoryId) };
    });
    needs.events.nudge();
    setDrillTimer(needs, row);
    const message = row.enabled ? `Drills of ${name} are scheduled.` : `Drills of ${name} are not scheduled.`;
    const view = drillScheduleView(row, standing, now);
    return { success: true, message, repository_id: repositoryId, repository_name: name, ...view };
  };

function changed(before: Settings, input: DrillScheduleChanges, now: number): Settings {
  const { cron_expression: given, fixed_paths: paths, ...others } = input;
  const defined = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const cron = given === undefined ? before.cron_expression : tidyCron(given ?? '') || null;
  const { id: _, repository_id: __, ...settings } = before as Partial<DrillScheduleRow> & Settings;
  const fixed = paths === undefined ? {} : { fixed_paths: paths.map(fixedPath) };
  const after: Settings = {
    ...{ ...settings, ...defined, ...fixed },
    ...{ cron_expression: cron, enabled: cron !== null },
  };
  const rule = parseCron(cron ?? '0 0 * * *', after.timezone);
  if (cron === null) return { ...after, next_run: null, ...lastErrorColumns(null) };
  const same = cron === before.cron_expression && after.timezone === before.timezone;
  return same && before.next_run !== null
    ? after
    : { ...after, next_run: rule.next(now), ...lastErrorColumns(null) };
}

function fixedPath(text: string): string {
  const path = parseArchivePath(text, 'fixed_paths');
  if (path !== '') return path;
  throw invalid(
    say('drill_fixed_path_is_root')`fixed_paths must name files or folders, not the whole archive.`,
  );
}

/** The settings of a drill schedule that was removed, with its next run from now on. */
export const plannedAgain = (before: DrillScheduleRow, now: number): Settings =>
  changed({ ...before, next_run: null }, {}, now);

async function write(
  session: StorageSession,
  { before, after, repositoryId }: { before: DrillScheduleRow | null; after: Settings; repositoryId: number },
): Promise<DrillScheduleRow> {
  if (before) {
    await session.update(drillSchedules, { id: before.id }, after);
    return { ...before, ...after };
  }
  try {
    return await session.insert(drillSchedules, { ...after, repository_id: repositoryId });
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw new StoreError('conflict', 'Another request created the drill schedule.', { cause: error });
  }
}

/** Defaults for a repository without a drill schedule. */
export const noDrillSchedule: Settings = {
  ...{ cron_expression: null, timezone: 'UTC', enabled: false },
  ...{ sample_files: 200, sample_bytes: 1_000_000_000, fixed_paths: [] },
  ...{ last_run: null, last_planned: null, next_run: null },
  ...lastErrorColumns(null),
};

export async function findDrillSchedule(
  session: Pick<StorageSession, 'find'>,
  repositoryId: number,
): Promise<DrillScheduleRow | null> {
  const [row] = await session.find(drillSchedules, { where: { repository_id: repositoryId }, limit: 1 });
  return row ?? null;
}

async function findStanding(session: Pick<StorageSession, 'find'>, repositoryId: number) {
  const [row] = await session.find(drillStandings, { where: { repository_id: repositoryId }, limit: 1 });
  return row ?? null;
}

/** Throws AppError `not_found`. */
export const getDrillSchedule =
  ({ storage, clock }: Pick<DrillsNeeds, 'storage' | 'clock'>) =>
  async (repositoryId: number): Promise<DrillScheduleView & { success: true }> => {
    const { id, name } = await findRepository(storage, { repository_id: repositoryId });
    const row = (await findDrillSchedule(storage, id)) ?? noDrillSchedule;
    const view = drillScheduleView(row, await findStanding(storage, id), clock.now());
    return { success: true, repository_id: id, repository_name: name, ...view };
  };

const drillScheduleView = (row: Settings, standing: DrillStandingRow | null, now: number) => ({
  cron_expression: row.cron_expression,
  timezone: row.timezone,
  enabled: row.enabled,
  sample_files: row.sample_files,
  sample_bytes: row.sample_bytes,
  fixed_paths: row.fixed_paths,
  last_run: isoTime(row.last_run),
  next_run: isoTime(row.next_run),
  last_error: row.last_error,
  last_error_code: row.last_error_code,
  last_error_params: shownParams(row.last_error_params),
  ...lastProofView(standing, now),
});

/** The fields that say how far restores are proved. */
export const lastProofView = (
  standing: Pick<DrillStandingRow, 'proved_at' | 'coverage'> | null,
  now: number,
) => ({
  last_verified_restore: isoTime(standing?.proved_at ?? null),
  coverage_percent: coveragePercent(standing?.coverage ?? null, now),
});

export const { isOwn: isDrillTimer, set: setDrillTimer } = slotTimers('drill:');
