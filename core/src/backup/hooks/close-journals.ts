import { appendJobLog, formatLogLines, isTerminal, jobs } from '../../engine/jobs/index.js';
import {
  keepLease,
  lastErrorColumns,
  type Message,
  type Pace,
  together,
} from '../../foundation/kernel/index.js';
import type { NoteSchedule } from '../schedules/calendar/index.js';
import { slots } from '../schedules/tables.js';
import { HookJournal } from './hook-journal.js';
import { endLeftover } from './job-journal.js';
import type { HooksNeeds } from './needs.js';
import { runPostHooks } from './run-hooks.js';
import { takeJournal } from './schedule-pre-script.js';
import { type BackupStatus, backupStatus, openStages } from './script.rules.js';
import { type HookJournalRow, hookJournals } from './tables.js';

export type CloseJournalNeeds = HooksNeeds & { noteSchedule: NoteSchedule };

const atOnce = 50;

/** Open journals without a current lease. */
export async function openJournals(
  { storage, clock }: CloseJournalNeeds,
  { takeOverAfter }: Pace['jobs'],
): Promise<HookJournalRow[]> {
  const rows = await storage.find(hookJournals, { where: { stage: { in: openStages } }, limit: atOnce });
  const over = clock.now() - takeOverAfter;
  return rows.filter(({ lease_until }) => lease_until === null || lease_until < over);
}

/**
 * The combined status of the backups of a journal, and the last one to end. Null while any of them is pending
 * or running.
 */
async function endOf(
  { storage }: CloseJournalNeeds,
  { slot_id, job_ids }: HookJournalRow,
): Promise<{ status: BackupStatus; lastJobId: number | null } | null> {
  const [slot] = slot_id === null ? [] : await storage.find(slots, { where: { id: slot_id }, limit: 1 });
  // Read before the jobs: a rerun joins a slot only while the slot is open.
  if (slot?.outcome === 'running') return null;
  const rows = await storage.find(jobs, { where: { id: { in: slot?.job_ids ?? job_ids } } });
  if (!rows.every(({ status }) => isTerminal(status))) return null;
  const last = rows.toSorted((a, b) => (b.completed_at ?? 0) - (a.completed_at ?? 0))[0];
  const all = new Set(rows.map(({ status }) => backupStatus(status)));
  const worst = (['failure', 'warning', 'success'] as const).find((status) => all.has(status));
  return { status: worst ?? 'failure', lastJobId: last?.id ?? null };
}

/**
 * Runs the hooks that remain once all backups of a journal have ended: the post-backup script of a schedule,
 * and hooks of a job that ended without them. Only one instance does this. `stop` leaves the remaining hooks
 * to the next instance.
 */
export async function closeJournal(
  needs: CloseJournalNeeds,
  seen: HookJournalRow,
  { stop, times }: { stop: AbortSignal; times: Pace['jobs'] },
): Promise<void> {
  const end = await endOf(needs, seen);
  if (!end || stop.aborted) return;
  const lease_until = needs.clock.now() + times.lease;
  const row = await takeJournal(needs, seen, { lease_until });
  if (!row) return;
  const lease = keepLease(hookJournals, row, {
    ...needs,
    leaseMs: times.lease,
    renewMs: times.renewEvery,
    confirmed: true,
    onError: (error) =>
      needs.log.warn('could not renew the lease of a hook journal', { journal: row.id, error }),
  });
  const lost = AbortSignal.any([lease.lost, stop]);
  const journal = new HookJournal(needs, row, lost);
  const lines: string[] = [];
  try {
    await endLeftover(needs, row);
    if (row.stage === 'waiting') return await journal.close();
    const log = (line: Parameters<typeof formatLogLines>[0]) =>
      lines.push(...formatLogLines(line, needs.clock.now(), needs.redactor));
    const failures = await runPostHooks(needs, { journal, log, status: end.status });
    await reportFailures(needs, row, failures);
  } catch (error) {
    if (!lost.aborted) throw error;
    needs.log.info('post-backup hooks are left to the next instance', { journal: row.id });
  } finally {
    // The next start, or another instance, continues at once.
    await (journal.row.stage === 'closed' ? lease.stop() : lease.giveBack());
    if (end.lastJobId !== null) await appendJobLog(needs, end.lastJobId, lines);
  }
}

/** Failed hooks do not change the result of the backups, but must be visible. */
async function reportFailures(
  { storage, log, noteSchedule }: CloseJournalNeeds,
  { id, schedule_id }: HookJournalRow,
  failures: readonly Message[],
): Promise<void> {
  if (failures.length === 0) return;
  log.warn('post-backup hooks failed', { journal: id, failures: failures.map(String) });
  if (schedule_id === null) return;
  await noteSchedule(storage, schedule_id, lastErrorColumns(together(failures)));
}
