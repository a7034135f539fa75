import type { StorageBackend } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** JSON columns come back as the text that they are stored in. */
export const jsonAsText = (storage: StorageBackend): StorageBackend =>
  withMethods(storage, (session) => ({
    async find(entity, query) {
      const rows: Record<string, unknown>[] = await session.find(entity, query);
      for (const row of rows) {
        for (const [name, { type }] of Object.entries(entity.columns)) {
          if (type === 'json') row[name] = JSON.stringify(row[name]);
        }
      }
      return rows as never;
    },
  }));
