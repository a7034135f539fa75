import type { StorageSession } from '@holdfast/plugin-api';
import type { JobRow } from '../../engine/jobs/index.js';
import { type BackupOutcome, backupsIn, isCheckpointName } from '../repositories/index.js';
import { type ArchiveRow, archives } from '../repositories/tables.js';
import type { JudgedArchive } from './retention.rules.js';

/** An archive as the tool lists it, or as the inventory has it. */
export interface ListedArchive {
  /** The tool's id. */
  id: string;
  name: string;
  start: number;
}

/** Which archives a retention considers. */
export interface Membership {
  repositoryId: number;
  /** Null: all archives of the repository. */
  scheduleId: number | null;
  /** Tool ids of archives that count as the schedule's, too. */
  also?: ReadonlySet<string>;
}

export type Member = ListedArchive & JudgedArchive & { jobId: number | null; scheduleId: number | null };

/**
 * The finished archives that retention considers, with what is known of their quality, in the order of `listed`
 * (default: the inventory, oldest first). For a schedule: those that its jobs recorded as their own and those that
 * it adopted, regardless of names and comments.
 */
export async function membersAmong(
  session: StorageSession,
  { repositoryId, scheduleId, also }: Membership,
  listed?: readonly ListedArchive[],
): Promise<Member[]> {
  const isMember = (row: ArchiveRow | undefined) =>
    scheduleId === null || (row && (row.schedule_id === scheduleId || also?.has(row.tool_id)));
  // Without additions, an index leads to the archives of the schedule.
  const narrow = scheduleId === null || also ? {} : { schedule_id: scheduleId };
  const rows = await session.find(archives, {
    where: { repository_id: repositoryId, ...narrow },
    order: [
      ['start', 'asc'],
      ['id', 'asc'],
    ],
  });
  const known = new Map(rows.map((row) => [row.tool_id, row]));
  const all = listed ?? rows.map(({ tool_id, name, start }) => ({ id: tool_id, name, start }));
  const wanted = all.filter(({ id, name }) => !isCheckpointName(name) && isMember(known.get(id)));
  const made = wanted.flatMap(({ id }) => known.get(id)?.job_id ?? []);
  const doubtful = await backupsIn(session, made, (id) => ({ id, status: { not: 'completed' } }));
  const jobs = new Map(doubtful.map((job) => [job.id, job]));
  return wanted.map(({ id, name, start }) => {
    const row = known.get(id);
    const isGood = isReliable(row, jobs.get(row?.job_id ?? 0));
    const isWhole = isGood && (row?.lacking ?? []).length === 0;
    const unread = row?.unread ?? [];
    const owner = { jobId: row?.job_id ?? null, scheduleId: row?.schedule_id ?? null };
    return { id, name, start, isGood, isWhole, unread, ...owner };
  });
}

/**
 * `job` is given only when it did not complete. An archive whose job is unknown or foreign counts as good.
 */
function isReliable(row: ArchiveRow | undefined, job: JobRow | undefined): boolean {
  if (row?.damaged || row?.files === 0) return false;
  if (!job) return true;
  if (job.status !== 'completed_with_warnings') return false;
  return ((job.outcome as BackupOutcome | null)?.stats.files ?? 0) > 0;
}
