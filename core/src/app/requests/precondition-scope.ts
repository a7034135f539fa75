import type { Entity, StorageSession } from '@holdfast/plugin-api';
import type { StorageScope } from '../../foundation/kernel/index.js';

export interface Precondition {
  /** The entity that the change writes. */
  entity: Entity;
  /**
   * Runs before the first write of each transaction, up to and including the one that writes the entity, so
   * that no other change can come in between.
   */
  check?: ((session: StorageSession) => Promise<void>) | undefined;
  /** Runs as the last step of each transaction that writes the entity, and sees its final state. */
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
        session: callingBeforeWrites(session, before),
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

/** The same session, which calls `before` before each write. */
const callingBeforeWrites = (
  session: StorageSession,
  before: (entity: Entity) => Promise<void>,
): StorageSession => ({
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
