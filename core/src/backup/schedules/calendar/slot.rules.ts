import type { JobRow, JobStatus } from '../../../engine/jobs/index.js';
import { asReason, type Message, messageOfColumns, say, together } from '../../../foundation/kernel/index.js';
import type { CronRule } from './cron.rules.js';
import type { CatchUp } from './schedule.rules.js';

export type SlotTrigger = 'schedule' | 'run_now';

/**
 * `waiting` for its conditions, or to try again. `running` until its last job has ended. `missed`: the service was down. `skipped`: an earlier run is still
 * waiting, a hook postponed its backups, or a pause. `refused`: the schedule can't run. `disabled`: it was turned off.
 */
export type SlotOutcome =
  | 'waiting'
  | 'running'
  | 'completed'
  | 'completed_with_warnings'
  | 'failed'
  | 'cancelled'
  | 'missed'
  | 'skipped'
  | 'refused'
  | 'disabled';

/** A slot that is overdue by more than this was missed; before that it is only late. Milliseconds. */
const missedAfter = 60_000;

/** How many missed slots get a row of their own in the ledger; one more row covers all earlier ones. */
const maxMissedRows = 1_000;

/** Instants are counted up to this limit; beyond it the text says "More than". */
const maxCounted = 5_000;

const dayMs = 86_400_000;

export interface MissedSlots {
  plannedAt: number;
  count: number;
  reason: Message;
}

export interface SlotPlan {
  /** The planned instant to run now, or null. */
  run: number | null;
  /** Rows for the ledger, ascending. */
  missed: MissedSlots[];
  /** The same for instants in a pause, which are before all others. */
  paused: MissedSlots[];
  /** The next planned instant after now. */
  next: number;
}

interface DueSince {
  planned: number;
  now: number;
  catchUp: CatchUp;
  /** Instants before it do not run, nor does a later run make up for them. 0: none. */
  pausedUntil?: number;
}

/** What to do about a schedule that has been due since `planned`. */
export function planSlots(rule: CronRule, { planned, now, catchUp, pausedUntil = 0 }: DueSince): SlotPlan {
  if (planned < pausedUntil) {
    const paused = rowsOf(rule, {
      from: planned,
      instants: newestInstants(rule, {
        from: planned,
        until: Math.min(now, pausedUntil - 1),
        most: maxMissedRows,
      }),
      before: Math.min(now + 1, pausedUntil),
      reason: pausedUntilText(pausedUntil),
    });
    const first = rule.next(pausedUntil - 1);
    if (first > now) return { run: null, missed: [], paused, next: rule.next(now) };
    return { ...planSlots(rule, { planned: first, now, catchUp }), paused };
  }
  const due = newestInstants(rule, { from: planned, until: now, most: maxMissedRows + 1 });
  const newest = due.at(-1) ?? planned;
  const runs = now - newest <= missedAfter || catchUp === 'one';
  const reason =
    catchUp === 'one'
      ? say`run_missed_and_merged: Missed while Holdfast was down: merged into the run of ${{ run: text(newest) }}.`
      : say`run_missed: Missed while Holdfast was down.`;
  const instants = (runs ? due.slice(0, -1) : due).slice(-maxMissedRows);
  const missed = rowsOf(rule, { from: planned, instants, before: newest, reason });
  return { run: runs ? newest : null, missed, paused: [], next: rule.next(now) };
}

export const pausedUntilText = (at: number): Message => say`run_paused: Paused until ${{ until: text(at) }}.`;

/** One row for each of `instants`, the newest ones before `before`, and one for all earlier ones. */
function rowsOf(
  rule: CronRule,
  { from, instants, before, reason }: { from: number; instants: number[]; before: number; reason: Message },
): MissedSlots[] {
  const rows = instants.map((plannedAt) => ({ plannedAt, count: 1, reason }));
  const first = instants[0] ?? before;
  return from < first ? [summary(rule, { from, before: first, reason }), ...rows] : rows;
}

/** One row for all planned instants from `from` until before `before`. */
export function summary(
  rule: CronRule,
  { from, before, reason }: { from: number; before: number; reason: Message },
): MissedSlots {
  let [count, last] = [1, from];
  for (let at = rule.next(from); at < before && count < maxCounted; at = rule.next(at)) {
    count += 1;
    last = at;
  }
  if (count === 1) return { plannedAt: from, count, reason };
  const first = text(from);
  const what =
    count < maxCounted
      ? say`runs_missed: ${{ count }} scheduled runs from ${{ first }} to ${{ last: text(last) }}.`
      : say`runs_missed_uncounted: More than ${{ count: count - 1 }} scheduled runs from ${{ first }} on, before ${{ before: text(before) }}.`;
  return { plannedAt: from, count, reason: together([what, reason]) ?? reason };
}

/** The last planned instants from `from` (planned itself) to `until`, ascending, at most `most`. */
function newestInstants(
  rule: CronRule,
  { from, until, most }: { from: number; until: number; most: number },
): number[] {
  for (let window = dayMs; ; window *= 2) {
    const start = Math.max(from, until - window);
    const instants = start === from ? [from] : [];
    for (let at = rule.next(start); at <= until; at = rule.next(at)) instants.push(at);
    if (start === from || instants.length >= most) return instants.slice(-most);
  }
}

const text = (at: number) => new Date(at).toISOString();

export type EndedJob = Pick<JobRow, 'status' | 'error_message' | 'error_code' | 'error_params'> & {
  repository_name: string;
};

const maxErrorLength = 300;

/** By its code: the reason of a hook that skipped a backup. */
export const isPostponement = (code: string | null | undefined): boolean => code === 'hook_postponed';

/** A backup that a hook skipped: nothing failed, and nothing is reported. */
const wasPostponed = ({ status, error_code }: EndedJob) =>
  status === 'cancelled' && isPostponement(error_code);

/** The outcome of a slot whose jobs have all ended, and which of them caused it. */
export function slotResult(jobs: readonly EndedJob[]): { outcome: SlotOutcome; reason: Message | null } {
  const of = (status: JobStatus) => jobs.filter((job) => job.status === status);
  const [failed, warned, postponed] = [
    of('failed'),
    of('completed_with_warnings'),
    jobs.filter(wasPostponed),
  ];
  const cancelled = of('cancelled').filter((job) => !wasPostponed(job));
  const reason = together([
    ...[...failed.map(failure), ...cancelled.map(cancellation)],
    ...[...warned.map(warning), ...postponed.map(postponement)],
  ]);
  if (jobs.length > 0 && postponed.length === jobs.length) return { outcome: 'skipped', reason };
  if (jobs.length > 0 && cancelled.length + postponed.length === jobs.length)
    return { outcome: 'cancelled', reason };
  if (failed.length + cancelled.length > 0) return { outcome: 'failed', reason };
  return { outcome: warned.length + postponed.length > 0 ? 'completed_with_warnings' : 'completed', reason };
}

function failure(job: EndedJob): Message {
  const { repository_name: repository } = job;
  if (job.error_message === null)
    return say`run_backup_failed_unexplained: ${{ repository }} failed: no reason given`;
  const reason = errorOf(job);
  return say`run_backup_failed: ${{ repository }} failed: ${{ reason: reason.text }}`.with(asReason(reason));
}

const cancellation = ({ repository_name: repository }: EndedJob) =>
  say`run_backup_cancelled: ${{ repository }} was cancelled.`;

function postponement(job: EndedJob): Message {
  const [repository, reason] = [job.repository_name, errorOf(job)];
  return say`run_backup_postponed: ${{ repository }} was not backed up. ${{ reason: reason.text }}`.with(
    asReason(reason),
  );
}

function warning(job: EndedJob): Message {
  const [repository, reason] = [job.repository_name, errorOf(job)];
  return say`run_backup_warned: ${{ repository }} has warnings: ${{ reason: reason.text }}`.with(
    asReason(reason),
  );
}

const errorOf = ({ error_message: text, error_code, error_params }: EndedJob) =>
  messageOfColumns(text ?? '', error_code, error_params).map(short);

const short = (message: string) =>
  message.length <= maxErrorLength ? message : `${message.slice(0, maxErrorLength)}…`;
