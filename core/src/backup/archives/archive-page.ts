import type { StorageSession, Where } from '@holdfast/plugin-api';
import { type ArchiveRow, archives } from '../repositories/tables.js';

export interface PageFilter {
  limit: number;
  /** The `next` of the page before. */
  before?: string | undefined;
  schedule_id?: number | undefined;
  /** Part of the name, ignoring case. */
  query?: string | undefined;
  /** Starts from here, to before there, in milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
}

export interface ArchivePage {
  /** Newest last. */
  rows: ArchiveRow[];
  /** Leads to older archives; null at the end. */
  next: string | null;
}

/** No index helps to find part of a name, so a page ends after this many archives, even if few of them match. */
const mostExamined = 5_000;
const batchOfSearch = 500;
const latest = Number.MAX_SAFE_INTEGER;

export async function readPage(
  session: Pick<StorageSession, 'find'>,
  repositoryId: number,
  { limit, before, schedule_id, query, from: least = -latest, to = latest }: PageFilter,
): Promise<ArchivePage> {
  const wanted = query?.toLowerCase();
  const where = { repository_id: repositoryId, ...(schedule_id === undefined ? {} : { schedule_id }) };
  const from = before === undefined ? null : placeIn(before);
  const older = newestFirst(session, {
    where,
    from,
    range: [least, to],
    batch: wanted === undefined ? limit + 1 : batchOfSearch,
  });
  const rows: ArchiveRow[] = [];
  let last: ArchiveRow | undefined;
  let examined = 0;
  for await (const row of older) {
    if (last && (rows.length === limit || examined === mostExamined))
      return { rows: rows.toReversed(), next: `${last.start}-${last.id}` };
    if (wanted === undefined || row.name.toLowerCase().includes(wanted)) rows.push(row);
    last = row;
    examined += 1;
  }
  return { rows: rows.toReversed(), next: null };
}

/** Where a page ends: several archives may have begun at the same instant. */
type Place = Pick<ArchiveRow, 'start' | 'id'>;

function placeIn(before: string): Place {
  const at = before.lastIndexOf('-');
  return { start: Number(before.slice(0, at)), id: Number(before.slice(at + 1)) };
}

interface Walk {
  where: Where<typeof archives>;
  from: Place | null;
  /** The earliest start, and the one that is too late. */
  range: readonly [number, number];
  batch: number;
}

async function* newestFirst(
  session: Pick<StorageSession, 'find'>,
  { where, from, range: [least, end], batch }: Walk,
) {
  const read = (more: Where<typeof archives>) =>
    session.find(archives, {
      where: { ...where, ...more },
      order: [
        ['start', 'desc'],
        ['id', 'desc'],
      ],
      limit: batch,
    });
  let last = from;
  for (;;) {
    const isTied = last && last.start >= least && last.start < end;
    const tied = last && isTied ? await read({ start: last.start, id: { lt: last.id } }) : [];
    const older = { gte: least, lt: Math.min(last?.start ?? end, end) };
    const rows = tied.length === batch ? tied : [...tied, ...(await read({ start: older }))];
    yield* rows;
    if (rows.length < batch) return;
    last = rows.at(-1) ?? null;
  }
}
