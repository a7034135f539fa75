import type { StorageBackend } from '@holdfast/plugin-api';
import { withMethods } from './storage-layer.js';

/** Rows come by id, whatever order is asked for. */
export const orderIgnored = (storage: StorageBackend): StorageBackend =>
  withMethods(storage, (session) => ({
    find: (entity, { order: _, ...query } = {}) => session.find(entity, query),
  }));
