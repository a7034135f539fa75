import { setTimeout as pause } from 'node:timers/promises';
import type { StorageSession } from '@holdfast/plugin-api';
import type { JobContext } from '../../engine/jobs/index.js';
import { jobs } from '../../engine/jobs/index.js';
import type { EventRow } from '../../foundation/events/index.js';
import { asReason, type Message, say, takeLease } from '../../foundation/kernel/index.js';
import { isPostponement, repositoriesOf, scheduleFailure } from '../schedules/calendar/index.js';
import { HookJournal, refusalIn } from './hook-journal.js';
import { endLeftover, openSlotJournal, type ScriptedRun, scriptedRunOf } from './job-journal.js';
import type { HooksNeeds } from './needs.js';
import { runPreHooks } from './run-hooks.js';
import { phaseFailure } from './script.rules.js';
import { type HookJournalRow, hookJournals } from './tables.js';

const lookEveryMs = 500;
const interrupted = say`schedule_script_interrupted: The pre-backup script of the schedule was interrupted when Holdfast stopped.`;

/**
 * Runs the pre-backup script of a schedule once per run: the first job to get here runs it, and the others
 * wait for it. Returns null when the backup may start, else why not.
 */
export async function runPreScript(needs: HooksNeeds, context: JobContext): Promise<Message | null> {
  const run = scriptedRunOf(context.job);
  if (!run) return null;
  let logged = false;
  for (;;) {
    const row = await openSlotJournal(needs, run);
    if (row.stage === 'waiting') {
      const patch = { stage: 'before' as const, job_id: context.job.id };
      const mine = await takeJournal(needs, row, patch);
      if (mine) return runScript(needs, { context, run, row: mine });
    } else if (row.stage !== 'before') return refusalIn(row);
    else if (!(await openerRuns(needs, row))) await takeOverAndReject(needs, { context, run, row });
    else if (!logged) {
      context.log({ level: 'info', text: `Waiting for the script of schedule ${run.facts.name}.` });
      logged = true;
    }
    await pause(lookEveryMs, undefined, { signal: context.signal });
  }
}

/**
 * For a job whose instance died. If it was running the pre-backup script of its schedule, no backup of that
 * run starts. Returns the reason when the script postponed the run.
 */
export async function rejectInterrupted(needs: HooksNeeds, context: JobContext): Promise<Message | null> {
  const run = scriptedRunOf(context.job);
  if (!run) return null;
  const [row] = await needs.storage.find(hookJournals, { where: { slot_id: run.slotId }, limit: 1 });
  if (row?.stage === 'before' && row.job_id === context.job.id)
    await takeOverAndReject(needs, { context, run, row });
  const refusal = row ? refusalIn(row) : null;
  return isPostponement(refusal?.code) ? refusal : null;
}

/** Takes a journal in the stage it was read. Null when another run was faster. */
export const takeJournal = (
  { storage }: Pick<HooksNeeds, 'storage'>,
  row: HookJournalRow,
  patch: Partial<HookJournalRow>,
): Promise<HookJournalRow | null> =>
  takeLease(storage, hookJournals, row, { where: { stage: row.stage }, patch });

interface PreScriptRun {
  context: JobContext;
  run: ScriptedRun;
  row: HookJournalRow;
}

async function runScript(needs: HooksNeeds, { context, run, row }: PreScriptRun): Promise<Message | null> {
  const { signal, lost, log } = context;
  const journal = new HookJournal(needs, row, lost);
  const { failures, postponed } = await runPreHooks(needs, { journal, log, signal });
  if (lost.aborted) lost.throwIfAborted();
  const reasons = signal.aborted
    ? [say`schedule_script_stopped: The pre-backup script of the schedule was stopped before it finished.`]
    : failures;
  if (reasons.length > 0)
    await rejectRun(needs, { journal, run, reason: phaseFailure('pre-backup', reasons) });
  else if (postponed) await journal.refuse(postponed);
  else await journal.enter('between');
  signal.throwIfAborted();
  return journal.refusal;
}

async function openerRuns({ storage }: HooksNeeds, { job_id }: HookJournalRow): Promise<boolean> {
  const where = { id: job_id ?? 0, status: 'running' as const };
  return (await storage.find(jobs, { where, limit: 1 })).length > 0;
}

async function takeOverAndReject(needs: HooksNeeds, { context, run, row }: PreScriptRun): Promise<void> {
  const mine = await takeJournal(needs, row, {});
  if (!mine) return;
  await endLeftover(needs, mine);
  const journal = new HookJournal(needs, mine, context.lost);
  await rejectRun(needs, { journal, run, reason: interrupted });
}

/** Prevents all backups of the run and records one schedule_failure. */
async function rejectRun(
  { events }: HooksNeeds,
  { journal, run: { facts }, reason }: { journal: HookJournal; run: ScriptedRun; reason: Message },
): Promise<void> {
  const refusal =
    say`schedule_run_refused_by_script: This run of schedule ${{ schedule: facts.name }} made no backup. ${{ reason: reason.text }}`.with(
      asReason(reason),
    );
  const recorded: EventRow[] = [];
  await journal.refuse(refusal, async (session: StorageSession) => {
    const concerned = (await repositoriesOf(session, [facts.id])).get(facts.id);
    const failure = scheduleFailure(facts, { error: reason.text, plannedAt: facts.plannedAt }, concerned);
    recorded.splice(0, recorded.length, await events.record(session, failure));
  });
  events.announce(recorded);
}
