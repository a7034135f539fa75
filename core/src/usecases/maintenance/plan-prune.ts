import { isCheckpointName } from '../../domain/archive-name.js';
import { keepAlso, planRetention, type RetentionPlan, type RetentionRules } from '../../domain/retention.js';
import type { ArchiveSummary } from '../../ports/backup-driver.js';
import type { StorageSession } from '../../ports/storage.js';
import { archivesOfSchedule, newestGoodArchive } from './schedule-archives.js';

export interface PruneQuestion {
  /** Every archive of the repository, oldest first, as the tool just listed them. */
  listed: readonly ArchiveSummary[];
  installation: string;
  /** Null: whoever made them. */
  scheduleId: number | null;
  rules: RetentionRules;
}

/**
 * What rules keep and remove: of the archives of one schedule or of all, and never the newest good one, nor one that
 * is being made.
 */
export async function planPrune(
  session: StorageSession,
  { listed, rules, installation, scheduleId }: PruneQuestion,
): Promise<RetentionPlan<ArchiveSummary>> {
  const members =
    scheduleId === null
      ? listed.filter(({ name }) => !isCheckpointName(name))
      : archivesOfSchedule(listed, { installation, scheduleId });
  const plan = planRetention(members, rules);
  const good = await newestGoodArchive(session, members, installation);
  return good ? keepAlso(plan, { id: good.id, reason: 'newest good archive' }) : plan;
}
