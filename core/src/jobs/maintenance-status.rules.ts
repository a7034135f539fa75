import type { TerminalStatus } from './job.rules.js';

/** How far prune and compact after a scheduled backup came; shown with the backup's job. */
export type MaintenanceStatus =
  | 'running_prune'
  | 'prune_completed'
  | 'prune_failed'
  /** The archive lacks sources: nothing is removed, and no compact follows. */
  | 'prune_skipped'
  | 'running_compact'
  | 'compact_failed'
  | 'maintenance_completed';

/** A step that ended with warnings did its work. */
export const succeeded = (status: TerminalStatus): boolean =>
  status === 'completed' || status === 'completed_with_warnings';

/** After the prune; a compact that follows makes it go on from there. */
export function statusAfterPrune(status: TerminalStatus, compactFollows: boolean): MaintenanceStatus {
  if (!succeeded(status)) return 'prune_failed';
  return compactFollows ? 'prune_completed' : 'maintenance_completed';
}

/** After the compact, the last step: it does not hide that the prune before it failed. */
export function statusAfterCompact(status: TerminalStatus, pruneFailed: boolean): MaintenanceStatus {
  if (!succeeded(status)) return 'compact_failed';
  return pruneFailed ? 'prune_failed' : 'maintenance_completed';
}
