import type { JobContext, JobHandler, JobResult } from '../jobs/index.js';
import { failureText } from '../jobs/index.js';
import { AppError } from '../kernel/index.js';
import type { HookJournal } from './hook-journal.js';
import { openJobJournal, takeOverJobJournal } from './job-journal.js';
import type { HooksNeeds } from './needs.js';
import { planRepositoryHooks } from './plan-hooks.js';
import { runPostHooks, runPreHooks } from './run-hooks.js';
import { enterRun, refuseInterrupted } from './schedule-bracket.js';
import { backupStatus, phaseFailure } from './script.rules.js';

export type Needs = Pick<
  HooksNeeds,
  'storage' | 'secrets' | 'clock' | 'log' | 'events' | 'redactor' | 'scriptRunner'
>;
type Work = Pick<JobHandler, 'run' | 'recover'>;

/**
 * The backup with all its hooks around it: once one before it began, those after it run whatever becomes of
 * it.
 */
export const withHooks = (needs: Needs, work: Work): Work => ({
  async run(context) {
    const refusal = await enterRun(needs, context);
    if (refusal) return { status: 'failed', error: refusal };
    const plan = await planRepositoryHooks(needs.storage, needs.secrets, context);
    if (!plan) return work.run(context);
    const journal = await openJobJournal(needs, context, plan);
    return bracket(needs, { context, journal }, async () => {
      const failures = await runPre(needs, context, journal);
      if (failures.length > 0 && !plan.continueOnFailure) {
        return { status: 'failed', error: `No backup was made. ${phaseFailure('pre-backup', failures)}` };
      }
      await journal.enter('between');
      return work.run(context);
    });
  },

  async recover(context) {
    await refuseInterrupted(needs, context);
    const journal = await takeOverJobJournal(needs, context);
    if (!journal) return work.recover(context);
    return bracket(needs, { context, journal }, () => work.recover(context));
  },
});

async function runPre(needs: Needs, context: JobContext, journal: HookJournal): Promise<string[]> {
  const { signal, log } = context;
  context.progress({ message: 'Running the hooks before the backup' });
  const failures = await runPreHooks(needs, { journal, log, signal });
  signal.throwIfAborted();
  context.progress({ message: null });
  return failures;
}

async function bracket(
  needs: Needs,
  { context, journal }: { context: JobContext; journal: HookJournal },
  work: () => Promise<JobResult>,
): Promise<JobResult> {
  const after = (status: Parameters<typeof backupStatus>[0]) =>
    runPostHooks(needs, { journal, log: context.log, status: backupStatus(status) });
  let result: JobResult;
  try {
    result = await work();
  } catch (error) {
    if (context.lost.aborted) throw error;
    const failures = await after('failed');
    throw failures.length > 0 ? withFailures(needs, error, failures) : error;
  }
  const failures = await after(result.status);
  return failures.length > 0 ? failed(result, failures) : result;
}

/** An error that is none of ours stays as it is: the failures stand in the log. */
function withFailures({ redactor }: Needs, error: unknown, failures: readonly string[]): unknown {
  const text = failureText(error, redactor);
  const told = phaseFailure('post-backup', failures);
  return text === null ? error : new AppError('internal', `${text} ${told}`, { cause: error });
}

/** The archive, if one was made, stays and is known. */
function failed(result: JobResult, failures: readonly string[]): JobResult {
  const told = phaseFailure('post-backup', failures);
  const before =
    result.status === 'failed' ? result.error : `The archive was made. ${result.error ?? ''}`.trim();
  return { ...result, status: 'failed', error: [before, told].filter(Boolean).join(' ') };
}
