import { keepAlso, planRetention, type RetentionPlan, type RetentionRules } from '../../domain/retention.js';
import type { ArchiveSummary } from '../../ports/backup-driver.js';
import type { StorageSession } from '../../ports/storage.js';
import { archivesOfSchedule, newestGoodArchive } from './schedule-archives.js';

export interface PruneQuestion {
  /** Every archive of the repository, oldest first, as the tool just listed them. */
  listed: readonly ArchiveSummary[];
  installation: string;
  scheduleId: number;
  rules: RetentionRules;
}

/** What the retention of a schedule keeps and removes: of its own archives only, and never the newest good one. */
export async function planPrune(
  session: StorageSession,
  { listed, rules, ...whose }: PruneQuestion,
): Promise<RetentionPlan<ArchiveSummary>> {
  const members = archivesOfSchedule(listed, whose);
  const plan = planRetention(members, rules);
  const good = await newestGoodArchive(session, members);
  return good ? keepAlso(plan, { id: good.id, reason: 'newest good archive' }) : plan;
}
