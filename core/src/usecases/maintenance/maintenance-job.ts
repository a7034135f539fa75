import type { RetentionRules } from '../../domain/retention.js';

/** What a prune job was asked to do. JSON. */
export interface PruneParameters extends Record<string, unknown> {
  /** As they were when the backup ended. */
  rules: RetentionRules;
  scheduleId: number;
  /** The backup after which it runs, and whose `maintenance_status` tells of it. */
  backupJobId: number;
}

/** What a prune leaves in its job's `outcome`. */
export interface PruneOutcome extends Record<string, unknown> {
  /** Newest first, each with the rule that keeps it. */
  kept: { name: string; reason: string }[];
  removed: string[];
  /** Bytes on disk afterwards, when the tool told. */
  repositoryStoredSize: number | null;
}

export interface CompactParameters extends Record<string, unknown> {
  scheduleId: number;
  backupJobId: number;
  /** The prune before it failed. */
  pruneFailed: boolean;
}

export interface CompactOutcome extends Record<string, unknown> {
  freedBytes: number | null;
}
