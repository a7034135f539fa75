import type { StorageSession } from '../ports/storage.js';
import type { Made } from '../schema/tables.js';
import type { StorageScope } from '../kernel/storage-scope.js';

/**
 * Watches for the first transaction that inserts rows of `entities`, and has `note` write them down in that very
 * transaction; what `note` throws undoes it.
 */
export function makingScope(
  entities: ReadonlySet<string>,
  note: (session: StorageSession, made: Made[]) => Promise<void>,
): StorageScope {
  let noted = false;
  return {
    active: () => !noted,
    open(session) {
      const made: Made[] = [];
      return {
        session: {
          find: (entity, query) => session.find(entity, query),
          aggregate: (entity, query) => session.aggregate(entity, query),
          async insert(entity, row) {
            const inserted = await session.insert(entity, row);
            const { id } = inserted as { id?: unknown };
            if (entities.has(entity.name) && typeof id === 'number') made.push({ entity: entity.name, id });
            return inserted;
          },
          update: (entity, where, patch) => session.update(entity, where, patch),
          remove: (entity, where) => session.remove(entity, where),
        },
        async complete() {
          if (made.length > 0) await note(session, made);
        },
        committed() {
          if (made.length > 0) noted = true;
        },
      };
    },
  };
}
