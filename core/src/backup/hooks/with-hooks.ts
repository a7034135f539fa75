import type { JobContext, JobHandler, JobResult } from '../../engine/jobs/index.js';
import { failureMessage } from '../../engine/jobs/index.js';
import { AppError, asReason, type Message, say, together } from '../../foundation/kernel/index.js';
import { isPostponement } from '../schedules/calendar/index.js';
import { type PreparedSources, preparedBefore, prepareSources } from '../sources/index.js';
import type { HookJournal } from './hook-journal.js';
import { openJobJournal, takeOverJobJournal } from './job-journal.js';
import type { HooksNeeds } from './needs.js';
import { planRepositoryHooks } from './plan-hooks.js';
import { runPostHooks, runPreHooks } from './run-hooks.js';
import { rejectInterrupted, runPreScript } from './schedule-pre-script.js';
import { backupStatus, phaseFailure } from './script.rules.js';

export type Needs = HooksNeeds;
export type BackupWork = {
  [Step in 'run' | 'recover']: (context: JobContext, sources: PreparedSources | null) => Promise<JobResult>;
};

/**
 * Wraps a backup in its hooks. Once a pre-backup hook has started, the post-backup hooks run whatever the
 * result.
 */
export const withHooks = (needs: Needs, work: BackupWork): Pick<JobHandler, 'run' | 'recover'> => ({
  async run(context) {
    const rejection = await runPreScript(needs, context);
    if (rejection)
      return { status: isPostponement(rejection.code) ? 'cancelled' : 'failed', error: rejection };
    const plan = await planRepositoryHooks(needs.storage, needs.secrets, context);
    if (!plan) return work.run(context, null);
    const journal = await openJobJournal(needs, context, plan);
    const remarks: Message[] = [];
    return withPostHooks(needs, { context, journal, remarks }, async () => {
      const { failures, postponed } = await runPre(needs, { context, journal, remarks });
      if (failures.length > 0 && !plan.continueOnFailure) {
        const failure = phaseFailure('pre-backup', failures);
        const error = say`backup_refused_by_hook: No backup was made. ${{ reason: failure.text }}`;
        return { status: 'failed', error: error.with(asReason(failure)) };
      }
      if (postponed) {
        await journal.refuse(postponed);
        return { status: 'cancelled', error: postponed };
      }
      await journal.enter('between');
      if (!plan.sources) return work.run(context, null);
      const sources = { context, sources: plan.sources.all, journal: journal.sources };
      const prepared = await prepareSources(needs, sources);
      return work.run(context, prepared).finally(prepared.end);
    });
  },

  async recover(context) {
    const postponedRun = await rejectInterrupted(needs, context);
    if (postponedRun) return { status: 'cancelled', error: postponedRun };
    const journal = await takeOverJobJournal(needs, context);
    if (!journal) return work.recover(context, null);
    const { stage, sources: states } = journal.row;
    // A closed journal has no plan, and nothing is prepared any more.
    const planned = states && stage !== 'closed' ? (journal.plan.sources?.all ?? []) : [];
    const sources = states && preparedBefore(needs, { context, sources: planned, journal: journal.sources });
    return withPostHooks(needs, { context, journal, remarks: [] }, async () =>
      journal.refusal ? { status: 'cancelled', error: journal.refusal } : work.recover(context, sources),
    );
  },
});

interface Around {
  context: JobContext;
  journal: HookJournal;
  /** Failures of hooks that do not count: the backup ends with warnings. */
  remarks: Message[];
}

async function runPre(needs: Needs, { context, journal, remarks }: Around) {
  const { signal, log } = context;
  context.progress({ message: 'Running pre-backup hooks' });
  const done = await runPreHooks(needs, { journal, log, signal, remark: (each) => remarks.push(each) });
  signal.throwIfAborted();
  context.progress({ message: null });
  return done;
}

async function withPostHooks(
  needs: Needs,
  { context, journal, remarks }: Around,
  work: () => Promise<JobResult>,
): Promise<JobResult> {
  const after = (status: Parameters<typeof backupStatus>[0]) =>
    runPostHooks(needs, {
      journal,
      log: context.log,
      status: backupStatus(status),
      remark: (each) => remarks.push(each),
    });
  let result: JobResult;
  try {
    result = await work();
  } catch (error) {
    if (context.lost.aborted) throw error;
    const failures = await after('failed');
    throw failures.length > 0 ? withFailures(needs, error, failures) : error;
  }
  const failures = await after(result.status);
  return failures.length > 0 ? failed(result, failures) : warned(result, remarks);
}

/** Unexpected errors are passed on unchanged. The failures are in the log. */
function withFailures({ redactor }: Needs, error: unknown, failures: readonly Message[]): unknown {
  const failure = failureMessage(error, redactor);
  if (failure === null) return error;
  const both = together([failure, phaseFailure('post-backup', failures)]);
  return new AppError('internal', both ?? failure, { cause: error });
}

const unmade = ({ status }: JobResult) => status === 'failed' || status === 'cancelled';

/** An archive that was made stays in the inventory. */
function failed(result: JobResult, failures: readonly Message[]): JobResult {
  const made = unmade(result) ? [] : [say`backup_archive_made: The archive was created.`];
  const before = result.error ? [result.error] : [];
  const error = together([...made, ...before, phaseFailure('post-backup', failures)]);
  return { ...result, status: 'failed', error };
}

function warned(result: JobResult, remarks: readonly Message[]): JobResult {
  if (remarks.length === 0 || unmade(result)) return result;
  const error = together([...(result.error ? [result.error] : []), ...remarks]);
  return { ...result, status: 'completed_with_warnings', error };
}
