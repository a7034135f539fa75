import type { StorageBackend } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** A transaction is a row of single writes: what was done before an error stays. */
export const noRollback = (storage: StorageBackend): StorageBackend => ({
  ...withMethods(storage, () => ({})),
  transaction: (work) => work(storage),
});
