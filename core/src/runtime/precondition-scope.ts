import type { StorageSession } from '../ports/storage.js';
import type { Entity } from '../schema/entity.js';
import type { StorageScope } from './storage-scope.js';

/**
 * `check` runs in each transaction before its first write, so that nobody can come in between, up to and with the one
 * that writes `entity`.
 */
export function preconditionScope(
  entity: Entity,
  check: (session: StorageSession) => Promise<void>,
): StorageScope {
  let written = false;
  return {
    active: () => !written,
    open(session) {
      let checking: Promise<void> | undefined;
      let writes = false;
      const before = async (target: Entity) => {
        checking ??= check(session);
        await checking;
        if (target.name === entity.name) writes = true;
      };
      return {
        session: telling(session, before),
        complete: async () => {},
        committed() {
          if (writes) written = true;
        },
      };
    },
  };
}

/** The same session; `before` is run before each of its writes. */
const telling = (session: StorageSession, before: (entity: Entity) => Promise<void>): StorageSession => ({
  find: (entity, query) => session.find(entity, query),
  aggregate: (entity, query) => session.aggregate(entity, query),
  async insert(entity, row) {
    await before(entity);
    return session.insert(entity, row);
  },
  async update(entity, where, patch) {
    await before(entity);
    return session.update(entity, where, patch);
  },
  async remove(entity, where) {
    await before(entity);
    return session.remove(entity, where);
  },
});
