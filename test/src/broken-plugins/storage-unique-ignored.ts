import { type StorageBackend, StoreError } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** A taken unique key is no error: the row that has it is returned. */
export const uniqueIgnored = (storage: StorageBackend): StorageBackend =>
  withMethods(storage, (session) => ({
    async insert(entity, row) {
      try {
        return await session.insert(entity, row);
      } catch (error) {
        if (!(error instanceof StoreError) || error.key === undefined) throw error;
        const values: Record<string, unknown> = row;
        const key = error.key.split(',').map((name) => [name, values[name]]);
        const [taken] = await session.find(entity, { where: Object.fromEntries(key) });
        if (!taken) throw error;
        return taken;
      }
    },
  }));
