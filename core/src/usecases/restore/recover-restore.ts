import type { JobContext, JobResult } from '../../runtime/job-contract.js';
import { stagingAt } from '../../runtime/restore/staging.js';
import { restoreRuns } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { abandon, completed, finishMoves, type Place, takeBack } from './finish-moves.js';

const untouched = (error: string): JobResult => ({
  status: 'failed',
  error: `${error} The target is as it was before. Start the restore again.`,
});
const interrupted = 'Interrupted: the service ended during the restore.';

/** Ends what a vanished process left: nothing was moved, then nothing is; the moves had begun, then all are done. */
export const recoverRestore =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async ({ job }: JobContext): Promise<JobResult> => {
    const [run] = await storage.find(restoreRuns, { where: { job_id: job.id }, limit: 1 });
    if (!run) return untouched(interrupted);
    const place: Place = { jobId: job.id, staging: stagingAt(run.staging) };
    if (run.phase === 'moving') return completed(await finishMoves({ storage }, place));
    if (run.phase === 'undoing') {
      await takeBack({ storage }, place);
      return untouched('Not all could be moved into place, so what was moved was taken back.');
    }
    await abandon({ storage }, place);
    return untouched(interrupted);
  };
