import type { RetentionPlan, RetentionRules } from './retention.rules.js';
import { planSafely } from './safe-retention.rules.js';
import type { ArchiveSummary } from '../ports/backup-driver.js';
import type { StorageSession } from '../ports/storage.js';
import { type Member, membersAmong } from './schedule-archives.js';

export interface PruneQuestion {
  /** Every archive of the repository, oldest first, as the tool just listed them and the inventory learned. */
  listed: readonly ArchiveSummary[];
  repositoryId: number;
  /** Null: whoever made them. */
  scheduleId: number | null;
  /** The backup that asked for it; null when a person did. */
  backupJobId: number | null;
  rules: RetentionRules;
  now: number;
}

/** What rules keep and remove of the archives of one schedule or of all; never one that is being made. */
export async function planPrune(
  session: StorageSession,
  { listed, rules, backupJobId, now, ...whose }: PruneQuestion,
): Promise<RetentionPlan<Member>> {
  const members = await membersAmong(session, listed, whose);
  const own = members.find(({ jobId }) => jobId !== null && jobId === backupJobId);
  return planSafely(members, { rules, now, own: own?.id ?? null });
}
