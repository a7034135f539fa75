import type { StorageSession } from '@holdfast/plugin-api';
import { type RepositoryRow, repositories } from '../repositories/tables.js';
import { scheduleRepositories } from '../schedules/tables.js';

/**
 * The repositories of each schedule, in the order of the runs. A schedule without repositories has no entry.
 */
export async function repositoriesOf(
  session: StorageSession,
  scheduleIds?: readonly number[],
): Promise<Map<number, RepositoryRow[]>> {
  const links = await session.find(scheduleRepositories, {
    where: scheduleIds ? { schedule_id: { in: scheduleIds } } : {},
    order: [['position', 'asc']],
  });
  const ids = [...new Set(links.map((link) => link.repository_id))];
  const rows = await session.find(repositories, ids.length <= maxIds ? { where: { id: { in: ids } } } : {});
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = new Map<number, RepositoryRow[]>();
  for (const { schedule_id, repository_id } of links) {
    const row = byId.get(repository_id);
    if (row) found.set(schedule_id, [...(found.get(schedule_id) ?? []), row]);
  }
  return found;
}

/** With more ids than this, all rows are read. */
const maxIds = 1_000;
