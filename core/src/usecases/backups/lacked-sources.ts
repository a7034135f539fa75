import type { JobOutcome } from '../../domain/job.js';
import type { JobContext, JobHandler, JobResult } from '../../runtime/job-contract.js';
import type { BackupOutcome } from './backup-job.js';

/** Sources that a backup found missing, empty or unreadable. */
export const lackedBy = (outcome: JobOutcome | null | undefined): string[] =>
  (outcome as Partial<BackupOutcome> | null | undefined)?.lacking ?? [];

type Work = Pick<JobHandler, 'run' | 'recover'>;

/** The log of a scheduled backup says when no prune may follow, and why. */
export function sayingWhatIsLacking({ run, recover }: Work): Work {
  const saying =
    (work: Work['run']) =>
    async (context: JobContext): Promise<JobResult> => {
      const result = await work(context);
      const lacking = lackedBy(result.outcome);
      if (context.job.schedule_id !== null && lacking.length > 0) {
        const text = `No prune follows, because these sources are not in the archive, or not whole: ${lacking.join(', ')}`;
        context.log({ level: 'warning', text });
      }
      return result;
    };
  return { run: saying(run), recover: saying(recover) };
}
