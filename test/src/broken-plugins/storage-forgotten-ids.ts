import type { StorageBackend } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** Data can be moved into it, but of ids that are reserved it knows nothing. */
export const forgottenIds = (storage: StorageBackend): StorageBackend => ({
  ...withMethods(storage, () => ({})),
  ...(storage.transfer && { transfer: { ...storage.transfer, reserveIds: async () => {} } }),
});
