import type { StorageBackend } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** Changes of a transaction are kept for its end, and its reads are those of everybody: nothing guards them. */
export const lateWrites = (storage: StorageBackend): StorageBackend => ({
  ...withMethods(storage, () => ({})),
  async transaction(work) {
    const writes: ((session: StorageBackend | Parameters<typeof work>[0]) => Promise<unknown>)[] = [];
    const session = withMethods(storage, () => ({
      async update(entity, where, patch) {
        writes.push((late) => late.update(entity, where, patch));
        return (await storage.find(entity, { where })).length;
      },
      async remove(entity, where) {
        writes.push((late) => late.remove(entity, where));
        return (await storage.find(entity, { where })).length;
      },
      async insert(entity, row) {
        writes.push((late) => late.insert(entity, row));
        return { id: 0, ...row } as never;
      },
    }));
    const result = await work(session);
    await storage.transaction(async (late) => {
      for (const write of writes) await write(late);
    });
    return result;
  },
});
