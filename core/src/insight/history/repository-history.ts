import type { HistoryArchive, HistorySample, RepositoryHistory } from '@holdfast/contracts';
import { type ArchiveRow, addedSize, archives, findRepository } from '../../backup/repositories/index.js';
import { invalid, isoTime, say } from '../../foundation/kernel/index.js';
import type { HistoryNeeds } from './needs.js';
import { type SampleRow, samples } from './tables.js';

const dayMs = 86_400_000;
const usualDays = 30;
const maxDays = 3_660;

export interface HistoryQuestion {
  /** ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  offset: number;
}

/**
 * Archives and samples of a time, oldest first. Asks no tool. Throws AppError `not_found` for the repository, and
 * `invalid` for the time.
 */
export async function getRepositoryHistory(
  { storage, clock }: HistoryNeeds,
  repositoryId: number,
  { limit, offset, ...time }: HistoryQuestion,
): Promise<RepositoryHistory> {
  const { from, to } = rangeOf(time, clock.now());
  const { id, archive_count } = await findRepository(storage, { repository_id: repositoryId });
  const within = { gte: from, lt: to };
  const page = { limit: limit + 1, offset };
  const [made, seen] = await Promise.all([
    storage.find(archives, {
      where: { repository_id: id, start: within },
      order: [['start', 'asc']],
      ...page,
    }),
    storage.find(samples, { where: { repository_id: id, at: within }, order: [['at', 'asc']], ...page }),
  ]);
  return {
    success: true,
    repository_id: id,
    from: isoTime(from),
    to: isoTime(to),
    archive_count,
    archives: made.slice(0, limit).map(archiveView),
    samples: seen.slice(0, limit).map(sampleView),
    truncated: made.length > limit || seen.length > limit,
  };
}

function rangeOf(time: Pick<HistoryQuestion, 'from' | 'to'>, now: number): { from: number; to: number } {
  const to = time.to === undefined ? now : Date.parse(time.to);
  const from = time.from === undefined ? to - usualDays * dayMs : Date.parse(time.from);
  if (from >= to) throw invalid(say`history_from_after_to: from must be earlier than to.`);
  if (to - from > maxDays * dayMs) {
    throw invalid(
      say`history_too_long: from and to must be at most ${{ days: maxDays }} days apart: choose a shorter period.`,
    );
  }
  return { from, to };
}

const archiveView = (row: ArchiveRow): HistoryArchive => ({
  id: row.tool_id,
  name: row.name,
  start: isoTime(row.start),
  seconds: row.end === null ? null : Math.max(0, row.end - row.start) / 1000,
  original_bytes: row.original_size,
  added_bytes: addedSize(row),
  schedule_id: row.schedule_id,
  damaged: row.damaged,
});

const sampleView = (row: SampleRow): HistorySample => ({
  at: isoTime(row.at),
  job_id: row.job_id,
  kind: row.kind,
  size_bytes: row.size,
  free_bytes: row.free,
  archive_count: row.archive_count,
  original_bytes: row.original_size,
  added_bytes: row.added_size,
  seconds: row.took / 1000,
});
