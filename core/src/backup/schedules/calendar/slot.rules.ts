import type { JobRow, JobStatus } from '../../../engine/jobs/index.js';
import { asReason, type Message, messageOfColumns, say, together } from '../../../foundation/kernel/index.js';
import type { CronRule } from './cron.rules.js';
import type { CatchUp } from './schedule.rules.js';

export type SlotTrigger = 'schedule' | 'run_now';

/**
 * `running` until its last job has ended. `missed`: the service was down. `skipped`: an earlier run is still
 * waiting. `refused`: the schedule can't run. `disabled`: it was turned off.
 */
export type SlotOutcome =
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
  /** The next planned instant after now. */
  next: number;
}

/** What to do about a schedule that has been due since `planned`. */
export function planSlots(
  rule: CronRule,
  { planned, now, catchUp }: { planned: number; now: number; catchUp: CatchUp },
): SlotPlan {
  const due = newestInstants(rule, { from: planned, until: now, most: maxMissedRows + 1 });
  const newest = due.at(-1) ?? planned;
  const runs = now - newest <= missedAfter || catchUp === 'one';
  const reason =
    catchUp === 'one'
      ? say`run_missed_and_merged: Missed while Holdfast was down: merged into the run of ${{ run: text(newest) }}.`
      : say`run_missed: Missed while Holdfast was down.`;
  const single = (runs ? due.slice(0, -1) : due).slice(-maxMissedRows);
  const missed = single.map((plannedAt) => ({ plannedAt, count: 1, reason }));
  const before = single[0] ?? newest;
  if (planned < before) missed.unshift(summary(rule, { from: planned, before, reason }));
  return { run: runs ? newest : null, missed, next: rule.next(now) };
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

/** The outcome of a slot whose jobs have all ended, and which of them caused it. */
export function slotResult(jobs: readonly EndedJob[]): { outcome: SlotOutcome; reason: Message | null } {
  const of = (status: JobStatus) => jobs.filter((job) => job.status === status);
  const [failed, cancelled, warned] = [of('failed'), of('cancelled'), of('completed_with_warnings')];
  const reason = together([...failed.map(failure), ...cancelled.map(cancellation), ...warned.map(warning)]);
  if (jobs.length > 0 && cancelled.length === jobs.length) return { outcome: 'cancelled', reason };
  if (failed.length + cancelled.length > 0) return { outcome: 'failed', reason };
  return { outcome: warned.length > 0 ? 'completed_with_warnings' : 'completed', reason };
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
