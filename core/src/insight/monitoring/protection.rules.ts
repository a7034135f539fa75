import type { RepositoryRow } from '../../backup/repositories/index.js';
import { isSpaceError, openErrorOf } from '../../backup/repositories/index.js';
import { asReason, type Message, say, together } from '../../foundation/kernel/index.js';

/**
 * `late`: the newest archive exceeds the age limit. `unknown`: it cannot be determined; the reasons say why.
 */
export const protectionStates = ['protected', 'late', 'unknown'] as const;
export type ProtectionState = (typeof protectionStates)[number];

/** How old the newest archive may be, in milliseconds. */
interface ArchivePromise {
  ageMs: number;
  /** Name of the schedule that it follows from; null when it is the objective of the repository. */
  schedule: string | null;
}

/** The known facts about one repository. Instants in milliseconds. */
export interface ProtectionFacts {
  /** Hours; null when no objective is set. */
  objective: number | null;
  observed: boolean;
  createdAt: number;
  /** When the list of archives was last read; null when it must be read again. */
  listedAt: number | null;
  /** The newest archive of the past that has files of all sources and is not damaged, as far as is known. */
  newest: { start: number; end: number | null } | null;
  /** Start of the last archive that is dated in the future, which never counts; null without one. */
  futureAt: number | null;
  /** Start of a newer archive that is damaged or lacks files or sources; null without one. */
  uncountedAt: number | null;
  /** How many files and folders the last backup could not read. */
  unread?: number;
  /** The sources that it lacks, if they are known. */
  lacking?: readonly string[];
  /** The enabled schedules that cover it. `gapMs` is null for an invalid cron expression. */
  schedules: readonly { name: string; gapMs: number | null }[];
  /** When the first of them runs again, if all are paused. */
  pausedUntil?: number | null;
  /** Names of schedules that run only manually, which set no age limit. */
  manual?: readonly string[];
  /** Damage that no full check has cleared since. */
  damage: EndedCheck | null;
  /** The newest check that was not cancelled. */
  check: (EndedCheck & { success: boolean }) | null;
  /** A drill found files that are not as they were saved, and no later drill all of them. */
  failedDrill?: EndedCheck | null;
  /** Sources backed up before the takeover but no longer, by name. */
  leftOut?: readonly string[];
  /** When the last backup job ended, if it failed; null if it did not. */
  backupFailedAt: number | null;
  /** It had made its archive before. */
  archiveMade?: boolean;
}

/** A check, or a drill. */
interface EndedCheck {
  endedAt: number;
  jobId: number;
}

export interface Protection {
  state: ProtectionState;
  /** Said of a late backup: why it stays so. */
  paused?: Message | null;
  /** The decisive one comes first. */
  reasons: readonly [Message, ...Message[]];
  promise: ArchivePromise | null;
  /** Until when the newest archive is recent enough; null when unknown. */
  until: number | null;
  /** A check found damage, and no full one has passed since. */
  damaged: boolean;
}

const hourMs = 3_600_000;
/** A schedule that runs less often sets no useful age limit. */
const rarestMs = 370 * 24 * hourMs;
/** Allows for waiting, for a run that takes longer than the last one, and for clock changes. */
const graceMs = 2 * hourMs;

/**
 * The objective, if set. Otherwise the strictest schedule: its longest planned gap, plus the duration of the
 * newest archive, plus two hours.
 */
function promiseOf(facts: ProtectionFacts): ArchivePromise | null {
  if (facts.objective !== null) return { ageMs: facts.objective * hourMs, schedule: null };
  if (facts.observed) return null;
  const { start = 0, end } = facts.newest ?? {};
  const took = Math.max(0, (end ?? start) - start);
  const promises = facts.schedules.flatMap(({ name, gapMs }) =>
    gapMs === null || gapMs > rarestMs ? [] : [{ ageMs: gapMs + took + graceMs, schedule: name }],
  );
  return promises.sort((a, b) => a.ageMs - b.ageMs)[0] ?? null;
}

/**
 * Judges by the archives that exist. Jobs only add reasons, except for damage: a damaged archive protects
 * nothing.
 */
export function judgeProtection(facts: ProtectionFacts, now: number): Protection {
  const promise = promiseOf(facts);
  const { state, reason: age, until } = judgeAge(facts, promise, now);
  const paused = state === 'late' && facts.pausedUntil ? pausedFor(facts.pausedUntil) : null;
  const reason = paused ? (together([age, paused]) ?? age) : age;
  const reasons = [reason, ...remarks(facts, state)] as const;
  const judged = { promise, until, paused, damaged: facts.damage !== null };
  const [first, ...others] = [
    ...(facts.damage ? [damageFound(facts.damage)] : []),
    ...(facts.failedDrill ? [drillFailed(facts.failedDrill)] : []),
    ...(facts.leftOut?.length ? [lessThanBefore(facts.leftOut)] : []),
  ];
  if (!first) return { state, reasons, ...judged };
  if (state === 'late') return { state, reasons: [...reasons, first, ...others], ...judged };
  return { state: 'unknown', reasons: [first, ...others, ...reasons], ...judged };
}

const pausedFor = (until: number): Message =>
  say`protection_paused: Its schedules are paused until ${{ until: text(until) }}.`;

const lessThanBefore = (names: readonly string[]): Message =>
  say`protection_left_out: Less is backed up than before Holdfast took over: ${{ names }}. Fix this, then mark it as done in the settings of the repository.`;

interface Verdict {
  state: ProtectionState;
  reason: Message;
  until: number | null;
}

function judgeAge(facts: ProtectionFacts, promise: ArchivePromise | null, now: number): Verdict {
  const { newest, futureAt, listedAt, createdAt } = facts;
  const unknown = (reason: Message): Verdict => ({ state: 'unknown', reason, until: null });
  if (promise === null) return unknown(noPromise(facts));
  if (listedAt === null) {
    return unknown(
      say`protection_list_outdated: The list of archives is out of date: list the archives of the repository.`,
    );
  }
  if (newest === null && futureAt !== null) {
    return unknown(
      say`protection_archive_in_future: The newest archive is dated in the future, ${{ archive: text(futureAt) }}: correct the clocks.`,
    );
  }
  if (newest === null) {
    const due = createdAt + promise.ageMs;
    if (now <= due)
      return unknown(
        say`protection_first_archive_due: There is no archive yet; the first is due by ${{ due: text(due) }}.`,
      );
    return { state: 'late', reason: withoutArchive(promise), until: null };
  }
  const until = newest.start + promise.ageMs;
  const reason = ageOfNewest(Math.max(0, now - newest.start), promise);
  return { state: now <= until ? 'protected' : 'late', reason, until };
}

function noPromise({ schedules, manual = [], observed }: ProtectionFacts): Message {
  if (observed)
    return say`protection_only_observed: There is no age limit: the repository is only monitored. Set an age limit.`;
  const rare = schedules.flatMap(({ name, gapMs }) => (gapMs === null ? [] : [name]));
  if (rare.length > 0)
    return say`protection_schedule_too_rare: There is no age limit: ${{ schedules: rare }} can let more than a year pass between two runs. Set an age limit.`;
  const unread = schedules.map(({ name }) => name);
  if (unread.length > 0)
    return say`protection_cron_invalid: There is no age limit: the cron expression of ${{ schedules: unread }} is invalid. Correct it, or set an age limit.`;
  if (manual.length > 1)
    return say`protection_schedules_manual: There is no age limit: ${{ schedules: manual }} only run manually. Set an age limit.`;
  if (manual.length > 0)
    return say`protection_schedule_manual: There is no age limit: ${{ schedule: manual[0] ?? '' }} only runs manually. Set an age limit.`;
  return say`protection_not_covered: The repository is in no enabled schedule. Add it to one, or set an age limit.`;
}

/** Sources that a sentence names. */
const mostNamed = 10;

/** Further reasons. */
function remarks(facts: ProtectionFacts, state: ProtectionState): Message[] {
  const { damage, check, newest, uncountedAt, futureAt, backupFailedAt, archiveMade } = facts;
  const { unread = 0, lacking = [] } = facts;
  const found: Message[] = [];
  const isNewer = (at: number) => at > (newest?.start ?? 0);
  if (uncountedAt !== null) {
    const archive = text(uncountedAt);
    found.push(
      lacking.length > 0
        ? say`protection_archive_lacks_sources: The archive of ${{ archive }} does not count: ${{ paths: lacking.slice(0, mostNamed) }} are missing from it.`
        : say`protection_archive_incomplete: The archive of ${{ archive }} does not count: it is damaged, or files or sources are missing from it.`,
    );
  }
  if (unread > 0) {
    found.push(
      say`protection_paths_unread: The last backup could not read ${{ count: unread }} files or folders: see its log.`,
    );
  }
  if (futureAt !== null && newest) {
    found.push(
      say`protection_archive_not_counted: The archive of ${{ archive: text(futureAt) }} does not count because its date is in the future: a clock was wrong, or another client created it.`,
    );
  }
  if (backupFailedAt !== null && (state !== 'protected' || isNewer(backupFailedAt))) {
    const ended = text(backupFailedAt);
    found.push(
      archiveMade
        ? say`protection_backup_failed_later: The last backup job created its archive and then failed, at ${{ ended }}.`
        : say`protection_backup_failed: The last backup job created no archive; it ended at ${{ ended }}.`,
    );
  }
  if (check && !check.success && check.jobId !== damage?.jobId && isNewer(check.endedAt)) {
    const { jobId: job, endedAt } = check;
    found.push(
      say`protection_check_failed: Check job ${{ job }} failed at ${{ ended: text(endedAt) }}: its log says why.`,
    );
  }
  return found;
}

const damageFound = ({ jobId: job, endedAt }: EndedCheck): Message =>
  say`protection_damaged: Check job ${{ job }} found damage at ${{ ended: text(endedAt) }}, and no full check has passed since: the state of the archives is unknown.`;

const drillFailed = ({ jobId: job, endedAt }: EndedCheck): Message =>
  say`protection_drill_failed: Drill job ${{ job }} could not restore all files as they were saved, at ${{ ended: text(endedAt) }}, and no drill has passed since.`;

const withoutArchive = ({ ageMs, schedule }: ArchivePromise): Message =>
  schedule === null
    ? say`protection_no_archive_for_objective: There is no archive; the age limit is ${{ promised: hours(ageMs) }}.`
    : say`protection_no_archive_for_schedule: There is no archive; the age limit is ${{ promised: hours(ageMs) }} (schedule ${{ schedule }}).`;

const ageOfNewest = (ms: number, { ageMs, schedule }: ArchivePromise): Message =>
  schedule === null
    ? say`protection_age_and_objective: The newest archive is ${{ age: hours(ms) }} old; the limit is ${{ promised: hours(ageMs) }}.`
    : say`protection_age_and_schedule: The newest archive is ${{ age: hours(ms) }} old; the limit is ${{ promised: hours(ageMs) }} (schedule ${{ schedule }}).`;

const hours = (ms: number): string => `${(Math.round(ms / 360_000) / 10).toLocaleString('en-US')} h`;
const text = (at: number): string => new Date(at).toISOString();

/** Archives that cannot be opened protect nothing. Those of a full repository can still be read. */
export function judgeOpening(
  judged: Protection,
  row: Pick<RepositoryRow, 'open_error' | 'open_error_at' | 'open_error_kind'>,
): Protection {
  const said = openErrorOf(row);
  if (said === null) return judged;
  const { text: error } = said;
  const values = asReason(said, 'error');
  const at = row.open_error_at;
  if (isSpaceError(row.open_error_kind)) {
    const full = say`protection_storage_full: Nothing can be written to the repository: ${{ error }}`;
    return { ...judged, reasons: [full.with(values), ...judged.reasons] };
  }
  const closed =
    at === null
      ? say`protection_cannot_open: The repository cannot be opened: ${{ error }}`
      : say`protection_cannot_open_since: The repository cannot be opened (since ${{ since: text(at) }}): ${{ error }}`;
  const reasons = [closed.with(values), ...judged.reasons] as const;
  return { ...judged, reasons, state: judged.state === 'late' ? 'late' : 'unknown' };
}
