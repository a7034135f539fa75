import type { StorageBackend } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** `update` looks first and writes then: in between another one may have looked, too. */
export const racingUpdate = (storage: StorageBackend): StorageBackend =>
  withMethods(storage, (session) => ({
    async update(entity, where, patch) {
      const rows: Record<string, unknown>[] = await session.find(entity, { where });
      const ids = { id: { in: rows.map(({ id }) => id) } };
      return session.update(entity, ids as typeof where, patch);
    },
  }));
