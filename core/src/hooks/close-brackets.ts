import type { NoteSchedule } from '../calendar/index.js';
import { appendJobLog, formatLogLines, isTerminal, jobTimings } from '../jobs/index.js';
import { jobs } from '../jobs/tables.js';
import { slots } from '../schedules/tables.js';
import { HookJournal } from './hook-journal.js';
import { endLeftover } from './job-journal.js';
import type { HooksNeeds } from './needs.js';
import { runPostHooks } from './run-hooks.js';
import { takeJournal } from './schedule-bracket.js';
import { type BackupStatus, backupStatus, openStages } from './script.rules.js';
import { type HookJournalRow, hookJournals } from './tables.js';

export type BracketNeeds = Pick<
  HooksNeeds,
  'storage' | 'secrets' | 'clock' | 'log' | 'events' | 'redactor' | 'scriptRunner'
> & { noteSchedule: NoteSchedule };

const atOnce = 50;

/** Open journals that nobody holds. */
export async function openJournals({ storage, clock }: BracketNeeds): Promise<HookJournalRow[]> {
  const rows = await storage.find(hookJournals, { where: { stage: { in: openStages } }, limit: atOnce });
  const over = clock.now() - jobTimings.takeOverAfter;
  return rows.filter(({ lease_until }) => lease_until === null || lease_until < over);
}

/** What became of the backups of a journal, and the last of them; null while one of them waits or runs. */
async function endOf(
  { storage }: BracketNeeds,
  { slot_id, job_ids }: HookJournalRow,
): Promise<{ status: BackupStatus; lastJobId: number | null } | null> {
  const [slot] = slot_id === null ? [] : await storage.find(slots, { where: { id: slot_id }, limit: 1 });
  // Asked before the jobs: one that is run again joins a slot only while it is open.
  if (slot?.outcome === 'running') return null;
  const rows = await storage.find(jobs, { where: { id: { in: slot?.job_ids ?? job_ids } } });
  if (!rows.every(({ status }) => isTerminal(status))) return null;
  const last = rows.toSorted((a, b) => (b.completed_at ?? 0) - (a.completed_at ?? 0))[0];
  const all = new Set(rows.map(({ status }) => backupStatus(status)));
  const worst = (['failure', 'warning', 'success'] as const).find((status) => all.has(status));
  return { status: worst ?? 'failure', lastJobId: last?.id ?? null };
}

/**
 * Runs what is owed after the backups of a journal once all of them ended: the script of a schedule, and the
 * hooks of a job that ended without them. One of all instances does it; `stop` leaves the rest to the next
 * one.
 */
export async function closeBracket(
  needs: BracketNeeds,
  seen: HookJournalRow,
  stop: AbortSignal,
): Promise<void> {
  const end = await endOf(needs, seen);
  if (!end || stop.aborted) return;
  const lease_until = needs.clock.now() + jobTimings.lease;
  const row = await takeJournal(needs, seen, { lease_until });
  if (!row) return;
  const lease = keepLease(needs, row, stop);
  const journal = new HookJournal(needs, row, lease.lost);
  lease.start(journal);
  const lines: string[] = [];
  try {
    await endLeftover(needs, row);
    if (row.stage === 'waiting') return await journal.close();
    const log = (line: Parameters<typeof formatLogLines>[0]) =>
      lines.push(...formatLogLines(line, needs.clock.now(), needs.redactor));
    const failures = await runPostHooks(needs, { journal, log, status: end.status });
    await tellFailures(needs, row, failures);
  } catch (error) {
    if (!lease.lost.aborted) throw error;
    needs.log.info('hooks after a backup are left to the next one', { journal: row.id });
  } finally {
    await lease.release(journal);
    if (end.lastJobId !== null) await appendJobLog(needs, end.lastJobId, lines);
  }
}

/** It changes nothing about the backups, but must not go unseen. */
async function tellFailures(
  { storage, log, noteSchedule }: BracketNeeds,
  { id, schedule_id }: HookJournalRow,
  failures: readonly string[],
): Promise<void> {
  if (failures.length === 0) return;
  log.warn('hooks after a backup failed', { journal: id, failures });
  if (schedule_id === null) return;
  await noteSchedule(storage, schedule_id, { last_error: failures.join(' ') });
}

/** Holds a journal for as long as its hooks take; `lost` when it can't be confirmed in time, or at `stop`. */
function keepLease({ clock, log }: BracketNeeds, row: HookJournalRow, stop: AbortSignal) {
  const gone = new AbortController();
  const lost = AbortSignal.any([gone.signal, stop]);
  let confirmedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const renew = async (journal: HookJournal) => {
    const askedAt = performance.now();
    if (askedAt - confirmedAt > jobTimings.lease) gone.abort();
    try {
      if ((await journal.renew(clock.now() + jobTimings.lease)) === 0) gone.abort();
      else confirmedAt = askedAt;
    } catch (error) {
      log.warn('the lease of a journal could not be confirmed', { journal: row.id, error });
    }
  };
  return {
    lost,
    start(journal: HookJournal) {
      timer = setInterval(() => void renew(journal), jobTimings.renewEvery);
    },
    /** Another instance, or the next start, may go on at once. */
    async release(journal: HookJournal): Promise<void> {
      clearInterval(timer);
      if (journal.row.stage === 'closed') return;
      await journal.renew(0).catch(() => undefined);
    },
  };
}
