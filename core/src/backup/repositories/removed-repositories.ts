import type { Entity, StorageBackend, StorageSession, Where } from '@holdfast/plugin-api';
import { wrapStorage } from '../../foundation/kernel/index.js';
import { repositories } from './tables.js';

/**
 * The same storage without the rows of removed registrations: they stay only so that an import can take them up again.
 * A clause that names `removed_at` reaches them.
 */
export const withoutRemoved = (storage: StorageBackend): StorageBackend =>
  wrapStorage(storage, {
    ...visibleIn(storage),
    transaction: (work) => storage.transaction((session) => work(visibleIn(session))),
  });

const visibleIn = (session: StorageSession): StorageSession => ({
  find: (entity, query) =>
    isNarrowed(entity, query?.where)
      ? session.find(withColumn(entity), narrowed(query))
      : session.find(entity, query),
  aggregate: (entity, query) =>
    session.aggregate(entity, isNarrowed(entity, query.where) ? narrowed(query) : query),
  insert: (entity, row) => session.insert(entity, row),
  update: (entity, where, patch) => session.update(entity, whereVisible(entity, where), patch),
  remove: (entity, where) => session.remove(entity, whereVisible(entity, where)),
});

const isNarrowed = (entity: Entity, where: object | undefined): boolean =>
  entity.name === repositories.name && !Object.hasOwn(where ?? {}, 'removed_at');

/** Reads of some columns only need not name this one. */
const withColumn = <E extends Entity>(entity: E): E => ({
  ...entity,
  columns: { ...entity.columns, removed_at: repositories.columns.removed_at },
});

const whereVisible = <E extends Entity>(entity: E, where: Where<E>): Where<E> =>
  isNarrowed(entity, where) ? { ...where, removed_at: null } : where;

const narrowed = <Q extends { where?: object }>(query: Q | undefined): Q =>
  ({ ...query, where: { ...query?.where, removed_at: null } }) as Q;
