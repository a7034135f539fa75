import type { Entity, StorageSession } from '@holdfast/plugin-api';
import type { StorageScope } from '../kernel/index.js';

export interface Precondition {
  /** What the change writes. */
  entity: Entity;
  /**
   * Runs in each transaction before its first write, so that nobody can come in between, up to and with the one that
   * writes the entity.
   */
  check?: ((session: StorageSession) => Promise<void>) | undefined;
  /** Runs in each transaction that writes the entity, as its last step: it sees what will be there. */
  see?: (session: StorageSession) => Promise<void>;
}

export function preconditionScope({ entity, check, see }: Precondition): StorageScope {
  let written = false;
  return {
    active: () => !written || see !== undefined,
    open(session) {
      let checking: Promise<void> | undefined;
      let writes = false;
      const before = async (target: Entity) => {
        if (!written) checking ??= check?.(session);
        await checking;
        if (target.name === entity.name) writes = true;
      };
      return {
        session: telling(session, before),
        complete: async () => {
          if (writes) await see?.(session);
        },
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
