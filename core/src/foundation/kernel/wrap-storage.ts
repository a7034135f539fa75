import type { Entity, StorageBackend, StorageSession } from '@holdfast/plugin-api';

type Method = keyof StorageSession;

/** What each call of a wrapped session goes through; `run` makes the call. */
export type Around = <T>(run: () => Promise<T>, method: Method, entity: Entity) => Promise<T>;

/** The session with `around` about each call. */
export const wrapSession = (session: StorageSession, around: Around): StorageSession => ({
  find: (entity, query) => around(() => session.find(entity, query), 'find', entity),
  insert: (entity, row) => around(() => session.insert(entity, row), 'insert', entity),
  update: (entity, where, patch) => around(() => session.update(entity, where, patch), 'update', entity),
  remove: (entity, where) => around(() => session.remove(entity, where), 'remove', entity),
  aggregate: (entity, query) => around(() => session.aggregate(entity, query), 'aggregate', entity),
});

/**
 * The storage with other methods. What it can do beyond them stays, but for its start and end: those are for its owner.
 */
export function wrapStorage(
  storage: StorageBackend,
  methods: StorageSession & Pick<StorageBackend, 'transaction'>,
): StorageBackend {
  const { transfer, copies } = storage;
  return {
    ...methods,
    ...(storage.changeToken && { changeToken: storage.changeToken.bind(storage) }),
    ...(transfer && { transfer }),
    ...(copies && { copies }),
  };
}
