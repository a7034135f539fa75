import type { ArchiveList, ArchiveView, Pinned } from '@holdfast/contracts';
import { isoTime } from '../../foundation/kernel/index.js';
import {
  addedSize,
  currentRepository,
  findRepository,
  livePins,
  pinView,
  type RepositorySelector,
} from '../repositories/index.js';
import { type ArchiveRow, archives } from '../repositories/tables.js';
import { type PageFilter, readPage } from './archive-page.js';
import type { ArchiveNeeds } from './archives.js';
import { type Period, rangeOf } from './count-archives.js';

/** The schedule under whose retention an archive falls, and the rule that keeps it there. */
type KeepingOf = (archive: ArchiveRow) => { scheduleId: number | null; keptBy: string | null };

/** What a room above tells about archives of one repository. */
export type FindKeeping = (repositoryId: number, rows: readonly ArchiveRow[]) => Promise<KeepingOf>;

/** `limit` 0: all archives, or the default of a page when another filter is given. */
export type ListQuery = RepositorySelector &
  Omit<Partial<PageFilter>, 'from' | 'to'> &
  Period & { known_only?: boolean };

const defaultLimit = 100;

/** Newest last: all archives, or a page of the newest. Throws AppError `not_found` for the repository. */
export async function listArchives(
  needs: ArchiveNeeds,
  findKeeping: FindKeeping,
  query: ListQuery,
): Promise<ArchiveList> {
  const {
    limit = 0,
    before,
    schedule_id,
    query: text,
    since,
    until,
    known_only: knownOnly,
    ...selector
  } = query;
  const range = rangeOf({ since, until });
  const repository = await currentRepository(needs, await findRepository(needs.storage, selector), {
    knownOnly,
  });
  const { id, name, path } = repository;
  const paged = limit > 0 || [before, schedule_id, text, since, until].some((given) => given !== undefined);
  const filter = { limit: limit || defaultLimit, before, schedule_id, query: text, ...range };
  const { rows, next } = paged
    ? await readPage(needs.storage, id, filter)
    : { rows: await readAll(needs, id), next: null };
  const keepingOf = await findKeeping(id, rows);
  const pins = await livePins(needs.storage, repository, needs.clock.now());
  return {
    success: true,
    archives: rows.map((row) => archiveView(row, keepingOf(row), pinView(pins.get(row.tool_id)))),
    repository: { id, name, path },
    as_of: isoTime(repository.inventory_at),
    ...(paged ? { next_before: next } : {}),
  };
}

const readAll = ({ storage }: Pick<ArchiveNeeds, 'storage'>, repository_id: number) =>
  storage.find(archives, {
    where: { repository_id },
    order: [
      ['start', 'asc'],
      ['id', 'asc'],
    ],
  });

const archiveView = (
  row: ArchiveRow,
  { scheduleId, keptBy }: ReturnType<KeepingOf>,
  pinned: Pinned | null,
): ArchiveView => ({
  id: row.tool_id,
  name: row.name,
  archive: row.name,
  start: isoTime(row.start),
  time: isoTime(row.start),
  end: isoTime(row.end),
  hostname: row.hostname,
  username: row.username,
  comment: row.comment,
  original_size: row.original_size,
  compressed_size: row.compressed_size,
  deduplicated_size: row.deduplicated_size,
  added_size: addedSize(row),
  nfiles: row.files,
  sources: row.sources,
  damaged: row.damaged,
  unsigned: row.unsigned === true,
  made_by: makerOf(row),
  schedule_id: scheduleId,
  adopted: row.adopted_at !== null,
  kept_by: keptBy,
  pinned,
});

function makerOf({ job_id, schedule_id, adopted_at, former_schedule_id }: ArchiveRow) {
  if (job_id === null) return 'external';
  return (adopted_at === null ? schedule_id : former_schedule_id) === null ? 'manual' : 'schedule';
}
