import { type DriverError, isDriverError } from '@holdfast/plugin-api/driver';
import type { JobResult } from '../../engine/jobs/index.js';
import {
  AppError,
  conflict,
  isAppError,
  type Message,
  messageFrom,
  say,
  together,
} from '../../foundation/kernel/index.js';
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
 * Completes the journal from any point. If that fails, restores the previous state of the target and rejects.
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
      say`restore_folder_left: The working folder could not be removed: remove .holdfast-restore-… next to the target manually.`,
  );
  const known = outcome.warning === null ? [] : [messageFrom(outcome.warning)];
  const warning = together([...known, ...(left ? [left] : [])]);
  return { ...outcome, warning: warning && { ...warning } };
}

export const takenOver = () =>
  conflict(say`restore_taken_over: Another instance of Holdfast has taken over this restore.`);

/** Undoes the moves from any point. */
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
    throw takenOver();
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
    say`restore_connection_lost: The connection to the host was lost while files were being moved into place. The host finishes this on its own: once .holdfast-restore-…/result next to the target says done, all files are in place. ${{ error: error.message }}`,
    { cause: error },
  );

/** Describes a failed file operation. */
function fileFailure(error: unknown): unknown {
  if (isAppError(error)) return error;
  const { code, path = 'the target' } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new AppError('internal', notWritten(path, code), { cause: error });
}

function notWritten(path: string, code: string): Message {
  switch (code) {
    case 'ENOSPC':
      return say`restore_disk_full: Could not write to ${{ path }}: no space left on the disk, free some space. The target is unchanged.`;
    case 'EDQUOT':
      return say`restore_quota_exceeded: Could not write to ${{ path }}: disk quota exceeded, free some space. The target is unchanged.`;
    case 'EACCES':
    case 'EPERM':
      return say`restore_write_denied: Could not write to ${{ path }}: permission denied, change its owner or mode. The target is unchanged.`;
    case 'EROFS':
      return say`restore_target_read_only: Could not write to ${{ path }}: read-only file system, choose another destination. The target is unchanged.`;
    case 'EXDEV':
      return say`restore_across_file_systems: Could not write to ${{ path }}: the target spans several file systems, restore each one separately. The target is unchanged.`;
    default:
      return say`restore_write_failed: Could not write to ${{ path }}: error ${{ error: code }}. The target is unchanged.`;
  }
}
