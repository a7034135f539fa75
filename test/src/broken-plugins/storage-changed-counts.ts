import type { StorageBackend } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** `update` counts the rows that it changed instead of those that it matched. */
export const changedCounts = (storage: StorageBackend): StorageBackend =>
  withMethods(storage, (session) => ({
    async update(entity, where, patch) {
      const rows: Record<string, unknown>[] = await session.find(entity, { where });
      const changed = rows.filter((row) =>
        Object.entries(patch).some(([name, value]) => value !== undefined && row[name] !== value),
      );
      return Math.min(changed.length, await session.update(entity, where, patch));
    },
  }));
