import type { RetentionRules } from './retention.rules.js';

/** What a prune job was asked to do. JSON. */
export interface PruneParameters extends Record<string, unknown> {
  /** As they were when it was asked for. */
  rules: RetentionRules;
  /** Null: all archives of the repository. */
  scheduleId: number | null;
  /** The backup after which it runs, and whose `maintenance_status` tells of it; null when a person asked. */
  backupJobId: number | null;
  /** What a person asked for beside the rules. */
  byHand?: { withinHours: number | null; dryRun: boolean; moreThanHalf: boolean };
}

/** What a prune leaves in its job's `outcome`. */
export interface PruneOutcome extends Record<string, unknown> {
  /** Newest first, each with the rule that keeps it or null. Instants in milliseconds. */
  plan: { name: string; start: number; rule: string | null }[];
  /** Names of those that are gone. */
  removed: string[];
  /** Bytes on disk afterwards, when the tool told. */
  repositoryStoredSize: number | null;
}

export interface CompactParameters extends Record<string, unknown> {
  /** Both null when a person asked. */
  scheduleId: number | null;
  backupJobId: number | null;
  /** The prune before it failed. */
  pruneFailed: boolean;
}

export interface CompactOutcome extends Record<string, unknown> {
  freedBytes: number | null;
}

/** What a check job was asked to do. JSON. */
export interface CheckParameters extends Record<string, unknown> {
  /** Above 0 only a part is checked. */
  maxSeconds: number;
  verifyData: boolean;
  repair: boolean;
  /** The instant that a scheduled check was planned for; null when a person asked. */
  plannedAt: number | null;
  /** The job that was interrupted when the service was stopped and that this one stands in for. */
  rerunOf?: number;
}

export interface CheckOutcome extends Record<string, unknown> {
  /** Damage was found, also when it was repaired. */
  damaged: boolean;
  /** Names of archives that have files without their content. */
  damagedArchives?: string[];
  /** The whole repository was looked at, and nothing but those archives is damaged. */
  confined?: boolean;
}
