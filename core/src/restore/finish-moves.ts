import { type DriverError, isDriverError } from '@holdfast/plugin-api/driver';
import type { JobResult } from '../jobs/index.js';
import { AppError, conflict, isAppError, messageFrom, say, together } from '../kernel/index.js';
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

/**
 * Carries out the journal from wherever it stands. If that fails, restores the previous state of the target
 * and rejects.
 */
export async function finishMoves({ storage }: Needs, place: Place): Promise<RestoreOutcome> {
  const { jobId, stage } = place;
  try {
    await stage.perform();
  } catch (error) {
    if (isDriverError(error)) throw unknownEnd(error);
    const where = { job_id: jobId, phase: 'moving' as const };
    if ((await storage.update(restoreRuns, where, { phase: 'undoing' })) === 0) throw error;
    await undoMoves({ storage }, place);
    throw fileFailure(error);
  }
  const [run] = await storage.find(restoreRuns, { where: { job_id: jobId }, limit: 1 });
  const outcome = run?.outcome ?? { restored: 0, replaced: 0, kept: 0, bytes: 0, warning: null };
  const left = await stage.remove().then(
    () => null,
    () =>
      say(
        'restore_folder_left',
      )`The working folder could not be removed: remove .holdfast-restore-… beside the target manually.`,
  );
  const known = outcome.warning === null ? [] : [messageFrom(outcome.warning)];
  const warning = together([...known, ...(left ? [left] : [])]);
  return { ...outcome, warning: warning && { ...warning } };
}

/** Undoes the moves, from wherever they stand. */
export async function undoMoves({ storage }: Needs, { jobId, stage }: Place): Promise<void> {
  await stage.undo();
  await removeManifest(storage, jobId);
  await stage.remove();
}

/**
 * Ends a restore that has not touched the target, so that it never can. Throws AppError `conflict` when it
 * has.
 */
export async function abandon({ storage }: Needs, { jobId, stage }: Place): Promise<void> {
  const where = { job_id: jobId, phase: { in: ['extracting', 'abandoned'] as const } };
  if ((await storage.update(restoreRuns, where, { phase: 'abandoned' })) === 0) {
    throw conflict('Another instance of the service has taken over this restore.');
  }
  await removeManifest(storage, jobId);
  await stage.remove();
}

export const completed = (outcome: RestoreOutcome): JobResult => ({
  status: outcome.warning === null ? 'completed' : 'completed_with_warnings',
  error: outcome.warning === null ? null : messageFrom(outcome.warning),
  outcome,
  progress: { percent: 100, message: null, currentPath: '', files: outcome.restored + outcome.replaced },
});

/** The program on the host continues without us; only it knows how far it got. */
const unknownEnd = (error: DriverError): AppError =>
  new AppError(
    'unavailable',
    'The connection to the host was lost while files were being moved into place. The host finishes this by itself: ' +
      'once .holdfast-restore-…/result beside the target says done, all files are in place. ' +
      error.message,
    { cause: error },
  );

/** Describes a failed file operation. */
function fileFailure(error: unknown): unknown {
  if (isAppError(error)) return error;
  const { code, path = 'the target' } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const reason = reasons[code] ?? `error ${code}`;
  return new AppError('internal', `Could not write to ${path}: ${reason}. The target is unchanged.`, {
    cause: error,
  });
}

const reasons: Record<string, string> = {
  ENOSPC: 'no space left on the disk, free space there',
  EDQUOT: 'disk quota exceeded, free space there',
  EACCES: 'permission denied, change the owner or mode there',
  EPERM: 'permission denied, change the owner or mode there',
  EROFS: 'read-only file system, choose another destination',
  EXDEV: 'the target spans file systems, restore each one separately',
};
