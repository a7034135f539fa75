import { isDriverError } from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../jobs/index.js';
import { abandon, completed, finishMoves, type Place, takeBack } from './finish-moves.js';
import type { RestoreParameters } from './restore.rules.js';
import { openStage, type StageNeeds } from './run-restore.js';
import { restoreRuns } from './tables.js';

const untouched = (error: string): JobResult => ({
  status: 'failed',
  error: `${error} The target is as it was before. Start the restore again.`,
});
const interrupted = 'Interrupted: the service ended during the restore.';

/** Ends what a vanished process left: nothing was moved, then nothing is; the moves had begun, then all are done. */
export const recoverRestore =
  (needs: StageNeeds) =>
  async ({ job }: JobContext): Promise<JobResult> => {
    const { storage } = needs;
    const [run] = await storage.find(restoreRuns, { where: { job_id: job.id }, limit: 1 });
    if (!run) return untouched(interrupted);
    const order = job.parameters as RestoreParameters;
    const stage = await openStage(needs, order, run);
    try {
      return await end(needs, run, { jobId: job.id, stage });
    } finally {
      await stage.close();
    }
  };

async function end(
  { storage }: StageNeeds,
  run: { phase: string; staging: string },
  place: Place,
): Promise<JobResult> {
  if (run.phase === 'moving') return completed(await finishMoves({ storage }, place));
  if (run.phase === 'undoing') {
    await takeBack({ storage }, place);
    return untouched('Not all could be moved into place, so what was moved was taken back.');
  }
  try {
    await abandon({ storage }, place);
  } catch (error) {
    if (!isDriverError(error)) throw error;
    return untouched(
      `${interrupted} The working folder ${run.staging} is still on the host: remove it there.`,
    );
  }
  return untouched(interrupted);
}
