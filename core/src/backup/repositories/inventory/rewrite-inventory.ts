import type { StorageSession } from '@holdfast/plugin-api';
import type { ArchiveSummary } from '@holdfast/plugin-api/driver';
import type { EventRow } from '../../../foundation/events/index.js';
import { clockToleranceMs, inTransaction } from '../../../foundation/kernel/index.js';
import { isCheckpointName, parseArchiveComment } from '../archive-name.rules.js';
import type { RepositoriesNeeds } from '../needs.js';
import { type ArchiveRow, archives, type RepositoryRow, repositories } from '../tables.js';
import { followPins } from './pins.js';
import {
  type ArchiveChange,
  archivesChanged,
  archiveValues,
  finishedAt,
  isRewritten,
  lacksSignature,
  matchesListing,
  recordedArchives,
  recount,
  retainedValues,
  summaryValues,
} from './recorded-archives.js';

/** One listing by the tool, including unfinished archives. `askedAt` is in milliseconds. */
export interface Listing {
  archives: readonly ArchiveSummary[];
  askedAt: number;
  /** Only a repair or signing by this service can have rewritten archives since the rows were written. */
  afterRepair?: boolean;
  /** Names of archives that it signed. */
  signed?: ReadonlySet<string>;
}

/**
 * Updates the archive rows of a repository to match a listing. What is recorded about an archive is kept, even when a
 * repair rewrote the archive. Rows added after the tool was asked stay, and a listing older than the last one changes
 * nothing. With a session, it runs in that transaction and the caller announces the returned events after the commit.
 * Without one, it runs its own transaction and announces them.
 */
export async function rewriteInventory(
  { storage, events }: Pick<RepositoriesNeeds, 'storage' | 'events'>,
  { id }: Pick<RepositoryRow, 'id'>,
  listing: Listing,
  session?: StorageSession,
): Promise<EventRow[]> {
  const rewrite = async (within: StorageSession) => {
    const change = await rewriteRows(within, id, listing);
    if (change.added.length + change.removed.length === 0) return [];
    return [await events.record(within, archivesChanged(id, change))];
  };
  if (session) return rewrite(session);
  const recorded = await inTransaction(storage, rewrite);
  events.announce(recorded);
  return recorded;
}

async function rewriteRows(session: StorageSession, id: number, told: Listing): Promise<ArchiveChange> {
  const finished = told.archives.filter(({ name }) => !isCheckpointName(name));
  const listing = { ...told, archives: finished };
  const [repository] = await session.find(repositories, { where: { id }, limit: 1 });
  const newerIsKnown = (repository?.inventory_at ?? 0) > listing.askedAt;
  if (!repository || newerIsKnown) return { added: [], removed: [] };
  const rows = await session.find(archives, { where: { repository_id: id } });
  const comparison = { rows, repositoryId: id, listing };
  const change = await applyListing(session, comparison);
  await followPins(session, repository, comparison);
  await recordUnrecorded(session, comparison);
  const past = finished.filter(({ start }) => start <= told.askedAt + clockToleranceMs);
  const newest = past.reduce((last, each) => Math.max(last, finishedAt(each)), 0);
  await recount(session, id, {
    inventory_at: listing.askedAt,
    ...(told.archives.some(({ comment }) => parseArchiveComment(comment)?.itself) && { admin_only: true }),
    unfinished_archives: told.archives.length - finished.length,
    last_backup: Math.max(repository.last_backup ?? 0, newest) || null,
  });
  return change;
}

interface Comparison {
  rows: readonly ArchiveRow[];
  repositoryId: number;
  listing: Listing;
}

async function applyListing(session: StorageSession, comparison: Comparison): Promise<ArchiveChange> {
  const { rows, repositoryId, listing } = comparison;
  const listed = new Map(listing.archives.map((archive) => [archive.name, archive]));
  const current = new Map<string, ArchiveRow>();
  const gone: ArchiveRow[] = [];
  for (const row of rows) {
    const same = listed.get(row.name)?.id === row.tool_id || row.seen_at > listing.askedAt;
    if (same) current.set(row.name, row);
    else gone.push(row);
  }
  if (gone.length > 0) await session.remove(archives, { id: { in: gone.map((row) => row.id) } });
  const added: string[] = [];
  for (const archive of listed.values()) {
    const row = current.get(archive.name);
    if (!row) {
      const before = gone.find((each) => isRewritten(each, archive));
      const known = before ? retainedValues(before, listing.afterRepair === true) : {};
      const fresh = archiveValues(archive, { repositoryId, seenAt: listing.askedAt });
      const unsigned = !listing.signed?.has(archive.name) && lacksSignature(archive, { before });
      await session.insert(archives, { ...fresh, ...known, unsigned });
      added.push(archive.name);
    } else if (row.tool_id === archive.id) {
      const unsigned = lacksSignature(archive, { row });
      if (unsigned !== row.unsigned || !matchesListing(row, archive))
        await session.update(archives, { id: row.id }, { ...summaryValues(archive), unsigned });
    }
  }
  return { added, removed: gone.map((row) => row.name) };
}

/** For archives that are new or have returned, and those whose job ended under an earlier release. */
async function recordUnrecorded(
  session: StorageSession,
  { rows, repositoryId, listing }: Comparison,
): Promise<void> {
  const recorded = new Set(rows.filter((row) => row.job_id !== null).map((row) => row.tool_id));
  const others = listing.archives.filter(({ id }) => !recorded.has(id));
  const told = others.map(({ id, comment }) => ({ tool_id: id, comment }));
  for (const [tool_id, record] of await recordedArchives(session, repositoryId, told))
    await session.update(archives, { repository_id: repositoryId, tool_id, job_id: null }, record);
}
