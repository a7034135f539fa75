import { type DriverError, isDriverError } from '@holdfast/plugin-api/driver';
import type { JobResult } from '../jobs/index.js';
import { AppError, conflict, isAppError } from '../kernel/index.js';
import { removeManifest } from './manifest.js';
import type { RestoreNeeds } from './needs.js';
import type { RestoreOutcome } from './restore.rules.js';
import type { Stage } from './stage/stage.js';
import { restoreRuns } from './tables.js';

type Needs = Pick<RestoreNeeds, 'storage'>;

export interface Place {
  jobId: number;
  stage: Stage;
}

/** Does what the journal says, from wherever it stands. When it can't, the target gets back what it had; then rejects. */
export async function finishMoves({ storage }: Needs, place: Place): Promise<RestoreOutcome> {
  const { jobId, stage } = place;
  try {
    await stage.perform();
  } catch (error) {
    if (isDriverError(error)) throw unknownEnd(error);
    const where = { job_id: jobId, phase: 'moving' as const };
    if ((await storage.update(restoreRuns, where, { phase: 'undoing' })) === 0) throw error;
    await takeBack({ storage }, place);
    throw fileFailure(error);
  }
  const [run] = await storage.find(restoreRuns, { where: { job_id: jobId }, limit: 1 });
  const outcome = run?.outcome ?? { restored: 0, replaced: 0, kept: 0, bytes: 0, warning: null };
  const left = await stage.remove().then(
    () => null,
    () => 'The working folder could not be removed: remove .holdfast-restore-… beside the target by hand.',
  );
  return { ...outcome, warning: [outcome.warning, left].filter((text) => text !== null).join(' ') || null };
}

/** Undoes what was moved, from wherever it stands. */
export async function takeBack({ storage }: Needs, { jobId, stage }: Place): Promise<void> {
  await stage.undo();
  await removeManifest(storage, jobId);
  await stage.remove();
}

/** Ends a restore that has not touched the target, and cannot any more. AppError `conflict` when it has. */
export async function abandon({ storage }: Needs, { jobId, stage }: Place): Promise<void> {
  const where = { job_id: jobId, phase: { in: ['extracting', 'abandoned'] as const } };
  if ((await storage.update(restoreRuns, where, { phase: 'abandoned' })) === 0) {
    throw conflict('Another instance of the service took this restore over.');
  }
  await removeManifest(storage, jobId);
  await stage.remove();
}

export const completed = (outcome: RestoreOutcome): JobResult => ({
  status: outcome.warning === null ? 'completed' : 'completed_with_warnings',
  error: outcome.warning,
  outcome,
  progress: { percent: 100, message: null, currentPath: '', files: outcome.restored + outcome.replaced },
});

/** The program on the host goes on without us; only it knows how far it came. */
const unknownEnd = (error: DriverError): AppError =>
  new AppError(
    'unavailable',
    'The files were being moved into place when the host could not be reached any more, and it does that to the end ' +
      'by itself: when .holdfast-restore-…/result beside the target says done, all are in place. ' +
      error.message,
    { cause: error },
  );

/** What a file operation ran into, in words. */
function fileFailure(error: unknown): unknown {
  if (isAppError(error)) return error;
  const { code, path = 'the target' } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const reason = reasons[code] ?? `failed (${code})`;
  return new AppError('internal', `A write at ${path} ${reason}. The target is as it was before.`, {
    cause: error,
  });
}

const reasons: Record<string, string> = {
  ENOSPC: 'found the disk full: free space there',
  EDQUOT: 'met the quota of the disk: free space there',
  EACCES: 'is not allowed: change owner or mode there',
  EPERM: 'is not allowed: change owner or mode there',
  EROFS: 'met a read-only file system: choose another destination',
  EXDEV: 'would cross file systems: restore what lies on each by itself',
};
