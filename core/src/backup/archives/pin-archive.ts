import type { PinAnswer, PinInput } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { jobs } from '../../engine/jobs/index.js';
import {
  type Caller,
  conflict,
  inTransaction,
  isoTime,
  notFound,
  say,
} from '../../foundation/kernel/index.js';
import {
  findRepository,
  livePins,
  pinView,
  type RepositorySelector,
  removePin,
  writePin,
} from '../repositories/index.js';
import { type ArchiveNeeds, type ArchiveSelector, type FoundArchive, findArchive } from './archives.js';

/**
 * Keeps an archive from prunes and deletions. Throws AppError `not_found`; `invalid` for an end in the past; `conflict`
 * for one earlier than that of its pin, and while a job may be removing the archive.
 */
export async function pinArchive(
  needs: ArchiveNeeds,
  caller: Caller,
  selector: RepositorySelector & { archive: string },
  input: Pick<PinInput, 'reason' | 'until'>,
): Promise<PinAnswer> {
  const found = await findArchive(needs, selector);
  const { repository, archive } = found;
  const now = needs.clock.now();
  const until = input.until == null ? null : Date.parse(input.until);
  const pinned = await inTransaction(needs.storage, async (session) => {
    const before = (await livePins(session, repository, now)).get(archive.tool_id);
    if (before && endOf(before) > endOf({ until }))
      throw conflict(
        say`pin_shortened: Archive ${{ archive: archive.name }} is pinned for longer: unpin it first to shorten that.`,
      );
    if (!before) await refuseWhileRemoved(session, found);
    const pin = {
      repository_tool_id: repository.tool_id,
      archive_tool_id: archive.tool_id,
      reason: input.reason,
      until,
      created_by: caller.username,
      created_at: now,
    };
    await writePin(session, pin, now);
    return pinView({ id: 0, ...pin });
  });
  const end = until === null ? '' : ` until ${isoTime(until)}`;
  const message = `Archive ${archive.name} is pinned${end}.`;
  return { success: true, message, archive: archive.name, archive_id: archive.tool_id, pinned };
}

const endOf = ({ until }: { until: number | null }): number => until ?? Number.POSITIVE_INFINITY;

/** A job that runs has already decided; one that waits decides later. */
async function refuseWhileRemoved(
  session: StorageSession,
  { repository, archive: { name, tool_id, schedule_id } }: FoundArchive,
): Promise<void> {
  const where = { repository_id: repository.id, status: 'running' as const };
  const kind = { in: ['prune', 'archive_deletion', 'check'] as const };
  const removing = (await session.find(jobs, { where: { ...where, kind } })).find((job) => {
    const { scheduleId, byHand, archive_id, mayDelete } = job.parameters as Removing;
    if (job.kind === 'archive_deletion') return archive_id === tool_id;
    if (job.kind === 'check') return mayDelete?.includes(name);
    return !byHand?.dryRun && (scheduleId === null || scheduleId === schedule_id);
  });
  if (removing)
    throw conflict(
      say`pin_while_removing: Job ${{ job: removing.id }} is running and may be removing archive ${{ archive: name }}. Wait until it ends, or cancel it.`,
    );
}

/** What such jobs have as parameters. */
interface Removing {
  scheduleId?: number | null;
  byHand?: { dryRun: boolean };
  archive_id?: string;
  mayDelete?: string[];
}

/** Throws AppError `not_found` also when it is not pinned. By its id, the pin of an archive that is gone can be removed. */
export async function unpinArchive(needs: ArchiveNeeds, selector: ArchiveSelector): Promise<PinAnswer> {
  const repository = await findRepository(needs.storage, selector);
  const now = needs.clock.now();
  const direct = (await livePins(needs.storage, repository, now)).get(selector.archive.toLowerCase());
  const archive = await findArchive(needs, selector).then(
    (found) => found.archive,
    (error: unknown) => {
      if (direct) return { name: direct.archive_tool_id, tool_id: direct.archive_tool_id };
      throw error;
    },
  );
  const { name, tool_id } = archive;
  const isRemoved = await inTransaction(needs.storage, (session) =>
    removePin(session, repository, { archive: tool_id, now }),
  );
  if (!isRemoved) throw notFound(say`archive_not_pinned: Archive ${{ archive: name }} is not pinned.`);
  const message = `Archive ${name} is no longer pinned.`;
  return { success: true, message, archive: name, archive_id: tool_id, pinned: null };
}
