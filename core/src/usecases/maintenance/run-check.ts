import type { CheckOutcome, CheckParameters } from '../../domain/maintenance-job.js';
import { type DriverError, isDriverError } from '../../errors.js';
import type { DriverResult, RepositoryTarget } from '../../ports/backup-driver.js';
import type { JobContext, JobResult } from '../../runtime/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { checkProgress } from './check-progress.js';

export type CheckNeeds = Pick<Dependencies, 'driver' | 'secrets' | 'redactor'>;

export const cannotCheck = 'The backup tool of this installation can not check repositories.';

/** Looks for damage, or repairs it. What is found is in the job's log. */
export const runCheck =
  (needs: CheckNeeds) =>
  async (context: JobContext): Promise<JobResult> => {
    const parameters = context.job.parameters as CheckParameters;
    if (!needs.driver.check) return { status: 'failed', error: cannotCheck };
    if (parameters.repair && context.repository.mode === 'observe') {
      return { status: 'failed', error: 'The repository is in observe mode, which only reads.' };
    }
    const { target, release } = openTarget(needs)(context.repository);
    try {
      const { warnings } = await check(needs.driver.check, context, target);
      const outcome: CheckOutcome = { damaged: parameters.repair && warnings.length > 0 };
      return passed(parameters, warnings, outcome);
    } catch (error) {
      if (!isDriverError(error, 'damaged')) throw error;
      return { status: 'failed', error: damage(error), outcome: { damaged: true } satisfies CheckOutcome };
    } finally {
      release();
    }
  };

function check(
  operation: NonNullable<Dependencies['driver']['check']>,
  context: JobContext,
  target: RepositoryTarget,
): Promise<DriverResult<{ partial: boolean }>> {
  const parameters = context.job.parameters as CheckParameters;
  const { maxSeconds, verifyData, repair } = parameters;
  const progressOf = checkProgress(parameters);
  return operation(
    target,
    { verifyData, repair, ...(maxSeconds > 0 ? { maxSeconds } : {}) },
    { ...context.toolOptions(), onProgress: (told) => context.progress(progressOf(told)) },
  );
}

function passed({ repair }: CheckParameters, warnings: string[], outcome: CheckOutcome): JobResult {
  const repaired = 'Problems were found and repaired: the log tells which files lost data. Check again.';
  const error = warnings.length === 0 ? null : repair ? repaired : warnings.join(' ');
  return {
    status: warnings.length > 0 ? 'completed_with_warnings' : 'completed',
    error,
    outcome,
    progress: { percent: 100, message: null },
  };
}

const damage = ({ message }: DriverError): string =>
  `Problems were found: ${message} The log of the job has all of them. Restore what you need elsewhere or copy the ` +
  'repository before you repair it.';

/** A check that was cut short says nothing of the repository; a repair can be begun again. */
export const recoverCheck = async ({ job }: JobContext): Promise<JobResult> => {
  const { repair } = job.parameters as CheckParameters;
  return {
    status: 'failed',
    error: repair
      ? 'Interrupted: the service ended during the repair. Start the repair again.'
      : 'Interrupted: the service ended during the check, so it found nothing out. Start it again.',
  };
};
