import type { StorageSession } from '@holdfast/plugin-api';
import { nameZoneOf } from '../backups/index.js';
import { livePins } from '../repositories/index.js';
import { repositories } from '../repositories/tables.js';
import type { RetentionCounts } from '../schedules/calendar/index.js';
import { schedules } from '../schedules/tables.js';
import { type ListedArchive, type Member, type Membership, membersAmong } from './members.js';
import { planSafely, type RetentionPlan, type RetentionRules } from './retention.rules.js';

const hourMs = 3_600_000;

export interface RetentionQuestion extends Membership {
  rules: Partial<RetentionCounts>;
  now: number;
  /** Whose clock counts the periods. Default: that of the schedule, or of the first one of the repository. */
  timeZone?: string;
  /** The backup that the prune follows, whose archive stays; null or absent: none. */
  backupJobId?: number | null;
  /** Every archive of the repository, oldest first, as the tool just listed them. Default: the inventory. */
  listed?: readonly ListedArchive[];
}

/**
 * What a prune keeps, with the rule, and what it removes. The prune job, previews and lists of archives all decide
 * here. Never includes an archive that is being made.
 */
export async function weigh(
  session: StorageSession,
  {
    rules: { withinHours, ...counts },
    now,
    backupJobId = null,
    listed,
    timeZone,
    ...membership
  }: RetentionQuestion,
): Promise<RetentionPlan<Member>> {
  const [repository] = await session.find(repositories, { where: { id: membership.repositoryId }, limit: 1 });
  const pins = repository && (await livePins(session, repository, now));
  const found = await membersAmong(session, membership, listed);
  const members = found.map((member) => ({ ...member, pinned: pins?.get(member.id)?.reason }));
  const own = members.find(({ jobId }) => jobId !== null && jobId === backupJobId);
  const rules: RetentionRules = {
    ...counts,
    timeZone: timeZone ?? (await zoneOf(session, membership)),
    ...(withinHours == null ? {} : { since: now - withinHours * hourMs }),
  };
  return planSafely(members, { rules, now, own: own?.id ?? null });
}

async function zoneOf(session: StorageSession, { scheduleId, repositoryId }: Membership): Promise<string> {
  if (scheduleId === null) return nameZoneOf(session, repositoryId);
  const [schedule] = await session.find(schedules, { where: { id: scheduleId }, limit: 1 });
  return schedule?.timezone ?? 'UTC';
}
