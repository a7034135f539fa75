import type { NewSchedule, ScheduleChanges, ScheduleWritten } from '@holdfast/contracts';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import {
  type Caller,
  conflict,
  inTransaction,
  invalid,
  lastErrorColumns,
  newUid,
  requireConfirmation,
  say,
} from '../../foundation/kernel/index.js';
import { keepsAnything } from '../maintenance/index.js';
import { checkTemplate } from '../repositories/index.js';
import {
  type CronRule,
  findSchedule,
  isManual,
  pauseEnd,
  plannedCron,
  protectsLess,
  type RetentionSettings,
  removesMore,
  retentionOf,
  tidyCron,
} from './calendar/index.js';
import { plannedBackups, recordPassed } from './fire-schedule.js';
import { hookWarnings } from './hook-warnings.js';
import type { SchedulesNeeds } from './needs.js';
import { newRetention } from './retention-settings.js';
import { recordScheduleChange, repositoryIdsOf } from './schedule-changed.js';
import {
  linkRepositories,
  noRepositories,
  selectedRepositories,
  writeWarnings,
} from './schedule-repositories.js';
import { scriptSettings } from './schedule-scripts.js';
import { viewSchedule } from './schedules.js';
import { type ScheduleRow, scheduleRepositories, schedules } from './tables.js';

/** Throws AppError `invalid`, `conflict` (name). */
export async function createSchedule(needs: SchedulesNeeds, input: NewSchedule): Promise<ScheduleWritten> {
  const { storage, clock } = needs;
  refuseBlankCron(input);
  const insert = scheduleInsertion(needs, input);
  const now = clock.now();
  const work = () => inTransaction(storage, (session) => insert(session, now));
  const row = await conflictIfNameTaken(work);
  announceSchedule(needs, row);
  const job = await viewSchedule(storage, { id: row.id, now });
  const warnings = writeWarnings(input, row, await hookWarnings(storage, row));
  return { success: true, message: `Schedule ${job.name} was created.`, job, ...warnings };
}

/**
 * Checks a new schedule and returns what inserts it, for a larger transaction; announce it afterwards with
 * `announceSchedule`. Throws as `createSchedule`; a taken name is then StoreError `unique`.
 */
export function scheduleInsertion(needs: SchedulesNeeds, input: NewSchedule) {
  const rule = plannedCron({ ...input, cron_expression: tidyCron(input.cron_expression) });
  checkArchiveNames(input);
  checkRetention({ ...newRetention, ...settingsGiven(input) });
  return (session: StorageSession, now: number): Promise<ScheduleRow> =>
    insertSchedule(session, needs, { input, rule, now });
}

/** After the commit. */
export function announceSchedule(needs: SchedulesNeeds, row: ScheduleRow): void {
  needs.events.nudge();
  plannedBackups.timers.set(needs, row);
}

async function insertSchedule(
  session: StorageSession,
  { secrets, events }: SchedulesNeeds,
  { input, rule, now }: { input: NewSchedule; rule: CronRule | null; now: number },
): Promise<ScheduleRow> {
  const repositories = await selectedRepositories(session, input);
  if (!repositories) throw invalid(noRepositories);
  const { name, cron_expression, timezone, catch_up, enabled } = input;
  const row = await session.insert(schedules, {
    uid: newUid(),
    ...settingsGiven(input),
    pause_until: pauseEnd(input.pause_until ?? null, { stored: null, now }),
    ...(await scriptSettings(session, secrets, { before: null, input })),
    name,
    cron_expression: tidyCron(cron_expression),
    timezone,
    catch_up,
    enabled,
    next_run: rule?.next(now) ?? null,
    created_at: now,
    updated_at: now,
  });
  await linkRepositories(session, row.id, repositories);
  await recordScheduleChange(session, events, { change: 'created', schedule: row });
  return row;
}

/**
 * Changes the given fields. Of concurrent changes the later one wins, field by field. Throws as
 * `createSchedule`, `not_found`, and `forbidden` for a browser session that must confirm what it changes.
 */
export async function updateSchedule(
  needs: SchedulesNeeds,
  caller: Caller,
  id: number,
  input: ScheduleChanges,
): Promise<ScheduleWritten> {
  const { storage, clock, events } = needs;
  const now = clock.now();
  const work = () => inTransaction(storage, (session) => change(session, needs, { caller, id, input, now }));
  const row = await conflictIfNameTaken(work);
  events.nudge();
  plannedBackups.timers.set(needs, row);
  const job = await viewSchedule(storage, { id, now });
  const warnings = writeWarnings(input, row, await hookWarnings(storage, row));
  return { success: true, message: `Schedule ${job.name} was updated.`, job, ...warnings };
}

interface Change {
  caller: Caller;
  id: number;
  input: ScheduleChanges;
  now: number;
}

async function change(
  session: StorageSession,
  { secrets, events }: SchedulesNeeds,
  { caller, id, input, now }: Change,
): Promise<ScheduleRow> {
  const before = await findSchedule(session, id);
  // Sent back as it was shown.
  if (!isManual(before)) refuseBlankCron(input);
  checkArchiveNames(input);
  const scripts = await scriptSettings(session, secrets, { before, input });
  const { pause_until: pause } = input;
  const paused =
    pause === undefined ? {} : { pause_until: pauseEnd(pause, { stored: before.pause_until, now }) };
  const settings = { ...settingsGiven(input), ...paused, ...scripts };
  const after: ScheduleRow = { ...before, ...settings, enabled: input.enabled ?? before.enabled };
  checkRetention(after);
  const formerRepositories = await repositoryIdsOf(session, id);
  await changeLinks(session, before, input);
  const repositories = new Set(await repositoryIdsOf(session, id));
  const leaves = formerRepositories.some((each) => !repositories.has(each));
  if (leaves || removesMore(before, after) || protectsLess(before, after)) requireConfirmation(caller, now);
  const patch: Partial<ScheduleRow> = {
    ...settings,
    ...(await planChanges(session, { before, after, now })),
    updated_at: Math.max(now, before.updated_at + 1),
  };
  await session.update(schedules, { id }, patch);
  await recordScheduleChange(session, events, { change: 'updated', schedule: after, formerRepositories });
  return { ...after, ...patch };
}

/**
 * The columns that change when a schedule is enabled or disabled, or its rule changes. Throws AppError
 * `invalid`.
 */
export async function planChanges(
  session: StorageSession,
  { before, after, now }: { before: ScheduleRow; after: ScheduleRow; now: number },
): Promise<Partial<ScheduleRow>> {
  const enabling = after.enabled && !before.enabled;
  const otherRule = after.cron_expression !== before.cron_expression || after.timezone !== before.timezone;
  if (enabling) await assertHasRepositories(session, before.id);
  const switched = after.enabled === before.enabled ? {} : { enabled: after.enabled };
  const planned = before.next_run !== null || isManual(before);
  if (!enabling && !otherRule && planned) return switched;
  const rule = plannedCron(after);
  await recordPassed(session, before, now);
  return { ...switched, next_run: rule?.next(now) ?? null, ...(enabling ? lastErrorColumns(null) : {}) };
}

async function assertHasRepositories(session: StorageSession, id: number): Promise<void> {
  const [link] = await session.find(scheduleRepositories, { where: { schedule_id: id }, limit: 1 });
  if (!link) throw invalid(noRepositories);
}

/**
 * For a schedule with several repositories, a null selector changes nothing, because it already reads as
 * null.
 */
async function changeLinks(
  session: StorageSession,
  before: ScheduleRow,
  input: ScheduleChanges,
): Promise<void> {
  const { repository_ids: ids, repository_id: id, repository } = input;
  if (ids === undefined && id == null && repository == null) {
    const links = await session.find(scheduleRepositories, { where: { schedule_id: before.id }, limit: 2 });
    if (links.length > 1) return;
  }
  const selected = await selectedRepositories(session, input);
  if (selected) await linkRepositories(session, before.id, selected);
}

function refuseBlankCron({ cron_expression: cron }: ScheduleChanges): void {
  if (cron?.trim() === '')
    throw invalid(
      say`cron_blank: cron_expression is empty: send null for a schedule that only runs manually.`,
    );
}

/** Checks the placeholders; a blank template means the default name. Throws AppError `invalid`. */
function checkArchiveNames({ archive_name_template: template }: ScheduleChanges): void {
  const problem = template?.trim() ? checkTemplate(template) : null;
  if (problem) throw invalid(problem);
}

/** Checks settings that depend on each other. Throws AppError `invalid`. */
function checkRetention(schedule: RetentionSettings): void {
  if (schedule.run_prune_after && !keepsAnything(retentionOf(schedule))) {
    throw invalid(
      say`rules_keep_nothing: With run_prune_after, at least one of the prune_keep_ counts must be above 0, or prune_keep_within must be set: all at 0 would remove every archive of the schedule.`,
    );
  }
}

/** Runs a write of a schedule and turns a taken name into AppError `conflict`. */
export async function conflictIfNameTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique') || error.key !== 'name') throw error;
    throw conflict(say`schedule_name_taken: Another schedule has this name: choose another.`, {
      cause: error,
    });
  }
}

type Settings = Omit<
  ScheduleRow,
  'id' | 'uid' | 'created_at' | 'updated_at' | 'next_run' | `last_${string}` | 'enabled' | 'pause_until'
>;

const settingFields = {
  name: true,
  cron_expression: true,
  timezone: true,
  catch_up: true,
  when: true,
  retry: true,
  description: true,
  tags: true,
  archive_name_template: true,
  run_repository_scripts: true,
  pre_backup_script_id: true,
  post_backup_script_id: true,
  pre_backup_script_parameters: true,
  post_backup_script_parameters: true,
  run_prune_after: true,
  run_compact_after: true,
  prune_keep_hourly: true,
  prune_keep_daily: true,
  prune_keep_weekly: true,
  prune_keep_monthly: true,
  prune_keep_quarterly: true,
  prune_keep_yearly: true,
  prune_keep_within: true,
} satisfies Record<keyof Settings, true>;

const texts = ['description', 'archive_name_template'] as const;

/** The columns for the given settings. Blank texts become null, and the cron expression is normalised. */
function settingsGiven(input: ScheduleChanges): Partial<Settings> {
  const given: Record<string, unknown> = {};
  for (const field of Object.keys(settingFields)) {
    const value = input[field as keyof Settings];
    if (value !== undefined) given[field] = value;
  }
  for (const field of texts) {
    const text = given[field];
    if (typeof text === 'string' && text.trim() === '') given[field] = null;
  }
  if (input.cron_expression !== undefined) given.cron_expression = tidyCron(input.cron_expression);
  // The request schema has validated each value for its column.
  return given as Partial<Settings>;
}
