import type { StorageSession } from '@holdfast/plugin-api';
import { type ArchiveSummary, isDriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext } from '../jobs/index.js';
import { inOwnTransaction } from '../jobs/index.js';
import type { JobRow } from '../jobs/tables.js';
import { type BackupOutcome, backupsIn, isCheckpointName, rewriteInventory } from '../repositories/index.js';
import { type ArchiveRow, archives } from '../repositories/tables.js';
import type { MaintenanceNeeds } from './needs.js';
import type { JudgedArchive } from './retention.rules.js';

type Needs = Pick<MaintenanceNeeds, 'storage' | 'events' | 'clock' | 'driver'>;

/**
 * Updates the inventory from the tool, in a job that holds the lane exclusively. False when the tool can't
 * list the archives; the next reader then tries again.
 */
export async function refreshInventory(
  needs: Needs,
  { job, repository, toolOptions }: JobContext,
  { target, afterRepair }: { target: RepositoryTarget; afterRepair: boolean },
): Promise<boolean> {
  const options = toolOptions();
  const askedAt = needs.clock.now();
  const listed = await needs.driver
    .listArchives(target, { checkpoints: true }, options)
    .catch((error: unknown) => {
      if (options.signal?.aborted || !isDriverError(error)) throw error;
      return null;
    });
  if (!listed) return false;
  const listing = { archives: listed.value, askedAt, afterRepair };
  const recorded = await inOwnTransaction(needs.storage, job, (session) =>
    rewriteInventory(needs)(repository, listing, session),
  );
  needs.events.announce(recorded);
  return true;
}

export type Member = ArchiveSummary & JudgedArchive & { jobId: number | null };

/**
 * The finished archives that retention considers, with what is known of their quality. For a schedule: those
 * that its jobs recorded as their own, regardless of names and comments. For null: all archives of the
 * repository.
 */
export async function membersAmong(
  session: StorageSession,
  listed: readonly ArchiveSummary[],
  { repositoryId, scheduleId }: { repositoryId: number; scheduleId: number | null },
): Promise<Member[]> {
  const rows = await session.find(archives, { where: { repository_id: repositoryId } });
  const known = new Map(rows.map((row) => [row.tool_id, row]));
  const made = rows.flatMap(({ job_id }) => job_id ?? []);
  const doubtful = await backupsIn(session, made, (id) => ({ id, status: { not: 'completed' } }));
  const jobs = new Map(doubtful.map((job) => [job.id, job]));
  return listed.flatMap((archive) => {
    const row = known.get(archive.id);
    if (isCheckpointName(archive.name)) return [];
    if (scheduleId !== null && row?.schedule_id !== scheduleId) return [];
    const isGood = isReliable(row, jobs.get(row?.job_id ?? 0));
    const isWhole = isGood && (row?.lacking ?? []).length === 0;
    return [{ ...archive, isGood, isWhole, jobId: row?.job_id ?? null }];
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
