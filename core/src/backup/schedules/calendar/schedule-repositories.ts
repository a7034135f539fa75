import type { RowOf, StorageSession } from '@holdfast/plugin-api';
import { partOf } from '../../../foundation/kernel/index.js';
import { repositories } from '../../repositories/tables.js';
import { scheduleRepositories } from '../tables.js';

const namedRepositories = partOf(repositories, 'id', 'name', 'path');
export type NamedRepository = RowOf<typeof namedRepositories>;
const placedRepositories = partOf(
  repositories,
  'id',
  'name',
  'path',
  'tool_id',
  'connection_id',
  'source_connection_id',
);
export type PlacedRepository = RowOf<typeof placedRepositories>;

/**
 * The repositories of each schedule, in the order of the runs. A schedule without repositories has no entry.
 */
export const repositoriesOf = (session: StorageSession, scheduleIds?: readonly number[]) =>
  linked(session, scheduleIds, (query) => session.find(repositories, query));

/** The same, with less of each. */
export const repositoryNamesOf = (session: StorageSession, scheduleIds?: readonly number[]) =>
  linked(session, scheduleIds, (query) => session.find(namedRepositories, query));

/** The same, with what says where they are. */
export const repositoryPlacesOf = (session: StorageSession, scheduleIds: readonly number[]) =>
  linked(session, scheduleIds, (query) => session.find(placedRepositories, query));

async function linked<Row extends { id: number }>(
  session: StorageSession,
  scheduleIds: readonly number[] | undefined,
  read: (query: { where?: { id: { in: number[] } } }) => Promise<Row[]>,
): Promise<Map<number, Row[]>> {
  const links = await session.find(scheduleRepositories, {
    where: scheduleIds ? { schedule_id: { in: scheduleIds } } : {},
    order: [['position', 'asc']],
  });
  const ids = [...new Set(links.map((link) => link.repository_id))];
  const rows = await read(ids.length <= maxIds ? { where: { id: { in: ids } } } : {});
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = new Map<number, Row[]>();
  for (const { schedule_id, repository_id } of links) {
    const row = byId.get(repository_id);
    if (row) found.set(schedule_id, [...(found.get(schedule_id) ?? []), row]);
  }
  return found;
}

/** With more ids than this, all rows are read. */
const maxIds = 1_000;
