import { isDriverError } from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../jobs/index.js';
import { abandon, completed, finishMoves, type Place, undoMoves } from './finish-moves.js';
import type { RestoreParameters } from './restore.rules.js';
import { openStage, type StageNeeds } from './run-restore.js';
import { restoreRuns } from './tables.js';

const untouched = (error: string): JobResult => ({
  status: 'failed',
  error: `${error} The target is unchanged. Start the restore again.`,
});
const interrupted = 'Interrupted: the service stopped during the restore.';

/** Finishes what a dead process left: completes the moves if they had started, otherwise moves nothing. */
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
    await undoMoves({ storage }, place);
    return untouched('Not all files could be moved into place, so the moves were undone.');
  }
  try {
    await abandon({ storage }, place);
  } catch (error) {
    if (!isDriverError(error)) throw error;
    return untouched(
      `${interrupted} The working folder ${run.staging} is still on the host; remove it there.`,
    );
  }
  return untouched(interrupted);
}
