import type { RetentionCounts } from '../schedules/calendar/index.js';

/** Parameters of a prune job. JSON. */
export interface PruneParameters extends Record<string, unknown> {
  /** As of when the prune was requested. */
  rules: Partial<RetentionCounts>;
  /** Null: all archives of the repository. */
  scheduleId: number | null;
  /** The backup that it follows, whose `maintenance_status` it updates; null for a manual prune. */
  backupJobId: number | null;
  /** Options of a manual prune. */
  byHand?: { withinHours: number | null; dryRun: boolean; moreThanHalf: boolean };
}

/** A prune that only tells what it would remove. */
export const isDryRun = (job: { parameters: Record<string, unknown> }): boolean =>
  (job.parameters as PruneParameters).byHand?.dryRun === true;

/** The `outcome` of a prune job. JSON. */
export interface PruneOutcome extends Record<string, unknown> {
  /** Newest first, each with the rule that keeps it or null. Instants in milliseconds. */
  plan: { name: string; start: number; rule: string | null }[];
  /** Names of the removed archives. */
  removed: string[];
  /** Bytes on disk afterwards; null when the tool did not report them. */
  repositoryStoredSize: number | null;
}

export interface CompactParameters extends Record<string, unknown> {
  /** Both null for a manual compact. */
  scheduleId: number | null;
  backupJobId: number | null;
  /** Whether the prune before it failed. */
  pruneFailed: boolean;
}

export interface CompactOutcome extends Record<string, unknown> {
  freedBytes: number | null;
  appendOnly?: boolean;
}

/** Parameters of a check job. JSON. */
export interface CheckParameters extends Record<string, unknown> {
  /** Time limit; above 0 the check is partial. */
  maxSeconds: number;
  verifyData: boolean;
  repair: boolean;
  /** Names of archives that a repair may delete. */
  mayDelete?: string[];
  /** Signs archives instead of checking. */
  sign?: true;
  /** Planned instant of a scheduled check; null for a manual one. */
  plannedAt: number | null;
  /** The job that a shutdown interrupted and that this one reruns. */
  rerunOf?: number;
}

export interface CheckOutcome extends Record<string, unknown> {
  /** Damage was found, even if it was repaired. */
  damaged: boolean;
  /** Names of archives with files that lost content. */
  damagedArchives?: string[];
  /** Names of archives that a repair deletes. */
  wouldDelete?: string[];
  /** The whole repository was checked, and only those archives are damaged. */
  confined?: boolean;
}
