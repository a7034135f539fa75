import type { JobRow } from '../../../engine/jobs/index.js';
import type { ScheduledBackupParameters } from './schedule.rules.js';

/** Failures that time can cure. */
const curable: ReadonlySet<string> = new Set([
  ...['tool_connection', 'tool_no_space', 'tool_quota', 'tool_repository_quota', 'folder_hangs'],
  ...['repository_locked', 'repository_locked_unknown'],
  ...['host_unreachable', 'host_timeout', 'host_disk_full'],
]);
/** And with a disk that comes and goes. */
const missing = 'tool_repository_missing';

type Ended = Pick<JobRow, 'parameters' | 'slot_id' | 'status' | 'outcome' | 'error_code' | 'completed_at'>;

/**
 * When a backup of a run is tried again, in milliseconds since the epoch; null when it is not. The next run takes over
 * what is left of this one. An interrupted backup runs again at once, so only a second interruption counts.
 */
export function retryAt({ parameters, slot_id, status, outcome, error_code, completed_at }: Ended) {
  const { schedule, attempt = 0, rerunOf } = parameters as Partial<ScheduledBackupParameters>;
  if (!schedule?.retry || slot_id === null || status !== 'failed' || outcome?.archive) return null;
  const canPass =
    curable.has(error_code ?? '') ||
    (error_code === missing && schedule.placePresent === true) ||
    (outcome?.interrupted === true && rerunOf !== undefined);
  if (!canPass || attempt >= schedule.retry.times) return null;
  const at = (completed_at ?? 0) + schedule.retry.after_minutes * 60_000;
  return schedule.nextAt != null && at >= schedule.nextAt ? null : at;
}
