import type { ScheduleWritten, UpcomingJob } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import {
  inTransaction,
  isAppError,
  isoTime,
  lastErrorColumns,
  newUid,
  shownParams,
} from '../../foundation/kernel/index.js';
import {
  afterPause,
  copyName,
  cronRule,
  describeCron,
  findSchedule,
  nextInstants,
  parseCron,
  pauseAt,
  pauseOfAll,
  plannedCron,
  repositoriesOf,
} from './calendar/index.js';
import type { SchedulesNeeds } from './needs.js';
import { recordScheduleChange } from './schedule-changed.js';
import { viewSchedule } from './schedules.js';
import { type ScheduleRow, scheduleRepositories, schedules } from './tables.js';
import { conflictIfNameTaken } from './write-schedule.js';

const hourMs = 3_600_000;
const most = 1_000;

/** Every planned run of the enabled schedules within the hours, soonest first. */
export async function listUpcomingJobs({ storage, clock }: SchedulesNeeds, { hours }: { hours: number }) {
  const now = clock.now();
  const until = now + hours * hourMs;
  // With more schedules than that, only the soonest can appear in the answer.
  const rows = await storage.find(schedules, {
    where: { enabled: true, next_run: { lte: until } },
    order: [['next_run', 'asc']],
    limit: most,
  });
  const paused = await pauseOfAll(storage);
  const planned = soonest(rows, { now, until, paused });
  const linked = await repositoriesOf(storage, [...new Set(planned.map(({ row }) => row.id))]);
  const view = ({ row, at }: Planned): UpcomingJob => {
    const repositories = (linked.get(row.id) ?? []).map(({ id, name }) => ({ id, name }));
    return {
      id: row.id,
      name: row.name,
      repository: repositories.map(({ name }) => name).join(', ') || null,
      repositories,
      next_run: isoTime(at),
      cron_expression: row.cron_expression,
    };
  };
  return { success: true as const, upcoming_jobs: planned.map(view), hours_ahead: hours };
}

interface Planned {
  row: ScheduleRow;
  at: number;
}

/** Merges the instants of all rows, without those in a pause. An overdue schedule runs at once, so its following instant is shown. */
function soonest(
  rows: ScheduleRow[],
  { now, until, paused }: { now: number; until: number; paused: number | null },
): Planned[] {
  const cursors = rows.flatMap((row) => {
    const rule = cronRule(row);
    const stored = row.next_run ?? 0;
    const next_run = rule && (stored > now ? stored : rule.next(now));
    const at = afterPause({ ...row, next_run }, pauseAt(now, row.pause_until, paused));
    return rule && at !== null ? [{ row, rule, at }] : [];
  });
  const planned: Planned[] = [];
  while (planned.length < most && cursors.length > 0) {
    const next = cursors.reduce((soonest, cursor) => (cursor.at < soonest.at ? cursor : soonest));
    if (next.at > until) break;
    planned.push({ row: next.row, at: next.at });
    next.at = next.rule.next(next.at);
  }
  return planned;
}

const presets: [name: string, expression: string][] = [
  ['Every Minute', '* * * * *'],
  ['Every 5 Minutes', '*/5 * * * *'],
  ['Every 15 Minutes', '*/15 * * * *'],
  ['Every Hour', '0 * * * *'],
  ['Every 6 Hours', '0 */6 * * *'],
  ['Daily at Midnight', '0 0 * * *'],
  ['Daily at 2 AM', '0 2 * * *'],
  ['Weekly on Sunday', '0 0 * * 0'],
  ['Monthly on 1st', '0 0 1 * *'],
  ['Weekdays at 9 AM', '0 9 * * 1-5'],
  ['Weekends at 6 AM', '0 6 * * 0,6'],
];

/** Common expressions, in a sensible order for a menu. */
export const listCronPresets = () => () => ({
  success: true as const,
  presets: presets.map(([name, expression]) => ({ name, expression, description: describeCron(expression) })),
});

export interface CronFields {
  minute: string;
  hour: string;
  day_of_month: string;
  month: string;
  day_of_week: string;
  timezone: string;
  /** All fields in one; the others are then ignored. */
  cron_expression?: string | undefined;
}

const shown = 10;

/** Never throws: a problem with the expression is part of the answer. */
export async function validateCron(
  { clock }: SchedulesNeeds,
  { timezone, cron_expression: given, ...fields }: CronFields,
) {
  const { minute, hour, day_of_month, month, day_of_week } = fields;
  const cron_expression =
    given?.trim() ?? [minute, hour, day_of_month, month, day_of_week].map((field) => field.trim()).join(' ');
  try {
    const rule = parseCron(cron_expression, timezone);
    const next_runs = nextInstants(rule, { after: clock.now(), count: shown }).map((at) => isoTime(at));
    const description = describeCron(cron_expression);
    return { success: true as const, cron_expression, next_runs, description };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const { code: error_code, params } = error.reason;
    const error_params = shownParams(params);
    return { success: false as const, error: error.detail, error_code, error_params, cron_expression };
  }
}

/** Creates a disabled copy with a new name. Throws AppError `not_found`. */
export async function duplicateSchedule(
  { storage, clock, events }: SchedulesNeeds,
  id: number,
): Promise<ScheduleWritten> {
  const now = clock.now();
  const work = () => inTransaction(storage, (session) => copy(session, events, { id, now }));
  const copied = await conflictIfNameTaken(work);
  events.nudge();
  const job = await viewSchedule(storage, { id: copied, now });
  return { success: true, message: `Schedule ${job.name} was created and is disabled.`, job };
}

async function copy(
  session: StorageSession,
  events: SchedulesNeeds['events'],
  { id, now }: { id: number; now: number },
): Promise<number> {
  const { id: _, ...original } = await findSchedule(session, id);
  const names = await session.find(schedules);
  const row = await session.insert(schedules, {
    ...original,
    uid: newUid(),
    name: copyName(original.name, new Set(names.map(({ name }) => name))),
    enabled: false,
    pause_until: null,
    next_run: plannedCron(original)?.next(now) ?? null,
    last_run: null,
    last_prune: null,
    last_compact: null,
    ...lastErrorColumns(null),
    last_planned: null,
    last_late_ms: null,
    created_at: now,
    updated_at: now,
  });
  const links = await session.find(scheduleRepositories, { where: { schedule_id: id } });
  for (const { id: _link, ...link } of links) {
    await session.insert(scheduleRepositories, { ...link, schedule_id: row.id });
  }
  await recordScheduleChange(session, events, { change: 'created', schedule: row });
  return row.id;
}
