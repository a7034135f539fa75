import type { Entity, StorageSession } from '@holdfast/plugin-api';
import { type StorageScope, wrapSession } from '../../foundation/kernel/index.js';

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
        session: wrapSession(session, async (run, method, target) => {
          if (method !== 'find' && method !== 'aggregate') await before(target);
          return run();
        }),
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
