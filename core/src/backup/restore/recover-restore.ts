import { isDriverError } from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../../engine/jobs/index.js';
import { type Message, say } from '../../foundation/kernel/index.js';
import { abandon, completed, finishMoves, type Place, undoMoves } from './finish-moves.js';
import type { RestoreParameters } from './restore.rules.js';
import { dumpRestoreInterrupted } from './restore-dump.js';
import { openStage, type StageNeeds } from './run-restore.js';
import { restoreRuns } from './tables.js';

const failed = (error: Message): JobResult => ({ status: 'failed', error });
const interrupted = () =>
  failed(
    say`restore_interrupted: Interrupted: Holdfast stopped during the restore. The target is unchanged. Start the restore again.`,
  );

/** Finishes what a dead process left: completes the moves if they had started, otherwise moves nothing. */
export async function recoverRestore(needs: StageNeeds, { job }: JobContext): Promise<JobResult> {
  const { storage } = needs;
  const { dump } = job.parameters as RestoreParameters;
  if (dump) return dumpRestoreInterrupted(dump);
  const [run] = await storage.find(restoreRuns, { where: { job_id: job.id }, limit: 1 });
  if (!run) return interrupted();
  const order = job.parameters as RestoreParameters;
  const stage = await openStage(needs, order, run);
  try {
    return await end(needs, run, { jobId: job.id, stage });
  } finally {
    await stage.close();
  }
}

async function end(
  { storage }: StageNeeds,
  run: { phase: string; staging: string },
  place: Place,
): Promise<JobResult> {
  if (run.phase === 'moving') return completed(await finishMoves({ storage }, place));
  if (run.phase === 'undoing') {
    await undoMoves({ storage }, place);
    return failed(
      say`restore_undone: Not all files could be moved into place, so the moves were undone. The target is unchanged. Start the restore again.`,
    );
  }
  try {
    await abandon({ storage }, place);
  } catch (error) {
    if (!isDriverError(error)) throw error;
    const { staging: folder } = run;
    return failed(
      say`restore_interrupted_folder_left: Interrupted: Holdfast stopped during the restore. The working folder ${{ folder }} is still on the host; remove it. The target is unchanged. Start the restore again.`,
    );
  }
  return interrupted();
}
