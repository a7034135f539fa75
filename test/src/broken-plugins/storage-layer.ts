import type { StorageBackend, StorageSession } from '@holdfast/plugin-api';

/** A storage in which some methods are replaced, of its transactions' sessions as well. */
export function withMethods(
  storage: StorageBackend,
  replace: (session: StorageSession) => Partial<StorageSession>,
): StorageBackend {
  const replaced = (session: StorageSession): StorageSession => ({
    find: (entity, query) => session.find(entity, query),
    insert: (entity, row) => session.insert(entity, row),
    update: (entity, where, patch) => session.update(entity, where, patch),
    remove: (entity, where) => session.remove(entity, where),
    aggregate: (entity, query) => session.aggregate(entity, query),
    ...replace(session),
  });
  return {
    ...replaced(storage),
    transaction: (work) => storage.transaction((session) => work(replaced(session))),
  };
}
