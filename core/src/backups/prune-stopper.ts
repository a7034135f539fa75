import type { JobContext, JobHandler, JobOutcome, JobResult } from '../jobs/index.js';
import type { BackupOutcome } from '../repositories/index.js';

/** Why no prune may follow a backup, as earlier archives may hold what it has not; null when one may. */
export function pruneStopper(outcome: JobOutcome | null | undefined): string | null {
  const { lacking = [], collapsed } = (outcome ?? {}) as Partial<BackupOutcome>;
  if (lacking.length > 0) return `these sources are not in the archive, or not whole: ${lacking.join(', ')}`;
  return collapsed ? 'the archive has far less than the last whole one' : null;
}

type Work = Pick<JobHandler, 'run' | 'recover'>;

/** The log of a scheduled backup says when no prune may follow, and why. */
export function sayingWhatStopsPrune({ run, recover }: Work): Work {
  const saying =
    (work: Work['run']) =>
    async (context: JobContext): Promise<JobResult> => {
      const result = await work(context);
      const stopper = pruneStopper(result.outcome);
      if (context.job.schedule_id !== null && stopper !== null)
        context.log({ level: 'warning', text: `No prune follows: ${stopper}` });
      return result;
    };
  return { run: saying(run), recover: saying(recover) };
}
