import type { Query, StorageSession } from '../ports/storage.js';
import type { Entity, RowOf } from '../schema/entity.js';

const pageRows = 500;

/** All rows with higher ids than `after`, in the order of their ids. */
export async function* pagesOf<E extends Entity>(
  session: StorageSession,
  entity: E,
  after = 0,
): AsyncGenerator<RowOf<E>[]> {
  for (let last = after; ; ) {
    const query = { where: { id: { gt: last } }, order: [['id', 'asc']], limit: pageRows };
    // Every entity of the product has an `id`, which the type of entities in general does not say.
    const page = await session.find(entity, query as unknown as Query<E>);
    if (page.length > 0) yield page;
    if (page.length < pageRows) return;
    last = idOf(page.at(-1));
  }
}

export const idOf = (row: unknown): number => (row as { id: number }).id;
