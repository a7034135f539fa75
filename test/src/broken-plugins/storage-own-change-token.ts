import type { StorageBackend } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** Its change token changes with its own writes only. */
export function ownChangeToken(storage: StorageBackend): StorageBackend {
  let writes = 0;
  const layer = withMethods(storage, (session) => ({
    insert: (entity, row) => session.insert(entity, row).finally(() => writes++),
    update: (entity, where, patch) => session.update(entity, where, patch).finally(() => writes++),
    remove: (entity, where) => session.remove(entity, where).finally(() => writes++),
  }));
  return { ...layer, changeToken: async () => String(writes) };
}
