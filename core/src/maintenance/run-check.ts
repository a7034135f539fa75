import type { CheckOutcome, CheckParameters } from './maintenance-job.rules.js';
import { type DriverError, isDriverError } from '../kernel/errors.js';
import type { DriverResult, RepositoryTarget } from '../ports/backup-driver.js';
import type { JobContext, JobResult } from '../jobs/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { checkProgress } from './check-progress.js';
import { learnArchives } from './learn-archives.js';

export type CheckNeeds = Pick<
  Dependencies,
  'driver' | 'secrets' | 'redactor' | 'storage' | 'events' | 'clock'
>;

export const cannotCheck = 'The backup tool of this installation can not check repositories.';

/** Looks for damage, or repairs it. What is found is in the job's log. */
export const runCheck =
  (needs: CheckNeeds) =>
  async (context: JobContext): Promise<JobResult> => {
    const { repair } = context.job.parameters as CheckParameters;
    if (!needs.driver.check) return { status: 'failed', error: cannotCheck };
    if (repair && context.repository.mode === 'observe') {
      return { status: 'failed', error: 'The repository is in observe mode, which only reads.' };
    }
    const { target, release } = openTarget(needs)(context.repository);
    const learn = (afterRepair = false) => learnArchives(needs, context, { target, afterRepair });
    try {
      const knew = repair && (await learn());
      const { value, warnings } = await check(needs.driver.check, context, target);
      const { damagedArchives = [] } = value;
      if (repair || damagedArchives.length > 0) await learn(knew);
      return repair ? repaired(warnings, damagedArchives) : checked(warnings, damagedArchives);
    } catch (error) {
      if (!isDriverError(error, 'damaged')) throw error;
      const outcome: CheckOutcome = { damaged: true, damagedArchives: [...(error.options.archives ?? [])] };
      return { status: 'failed', error: damage(error), outcome };
    } finally {
      release();
    }
  };

function check(
  operation: NonNullable<Dependencies['driver']['check']>,
  context: JobContext,
  target: RepositoryTarget,
): Promise<DriverResult<{ partial: boolean; damagedArchives?: string[] }>> {
  const parameters = context.job.parameters as CheckParameters;
  const { maxSeconds, verifyData, repair } = parameters;
  const progressOf = checkProgress(parameters);
  return operation(
    target,
    { verifyData, repair, ...(maxSeconds > 0 ? { maxSeconds } : {}) },
    { ...context.toolOptions(), onProgress: (told) => context.progress(progressOf(told)) },
  );
}

const done = { percent: 100, message: null };

function checked(warnings: string[], damagedArchives: string[]): JobResult {
  if (damagedArchives.length > 0) {
    const outcome: CheckOutcome = { damaged: true, confined: true, damagedArchives };
    return { status: 'failed', error: lost(damagedArchives), outcome, progress: done };
  }
  const isClean = warnings.length === 0;
  return {
    status: isClean ? 'completed' : 'completed_with_warnings',
    error: isClean ? null : warnings.join(' '),
    outcome: { damaged: false } satisfies CheckOutcome,
    progress: done,
  };
}

function repaired(warnings: string[], damagedArchives: string[]): JobResult {
  const damaged = warnings.length > 0 || damagedArchives.length > 0;
  const what =
    warnings.length > 0 ? 'Problems were found and repaired: the log tells which files lost data. ' : '';
  const which = damagedArchives.length > 0 ? `${lost(damagedArchives)} ` : '';
  return {
    status: damaged ? 'completed_with_warnings' : 'completed',
    error: damaged ? `${what}${which}Check again.` : null,
    outcome: { damaged, damagedArchives } satisfies CheckOutcome,
    progress: done,
  };
}

const mostNamed = 5;

function lost(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return (
    `Files of ${names.slice(0, mostNamed).join(', ')}${more} lost content, which zeros stand for: the log names them. ` +
    'These archives protect nothing any more. Back up again; a repair then brings back what is still at its source.'
  );
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
