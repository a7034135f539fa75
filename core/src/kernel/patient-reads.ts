import type { StorageBackend } from '../ports/storage.js';
import { untilStored } from './until-stored.js';

/**
 * The storage as the work of jobs reads it: while it is away they wait, so that a database that comes back in time
 * costs no backup. A job that lost its lease meanwhile is told so before its tool begins, and with each write.
 */
export const patientReads = (storage: StorageBackend): StorageBackend => ({
  find: (entity, query) => untilStored(() => storage.find(entity, query)),
  aggregate: (entity, query) => untilStored(() => storage.aggregate(entity, query)),
  insert: (entity, row) => storage.insert(entity, row),
  update: (entity, where, patch) => storage.update(entity, where, patch),
  remove: (entity, where) => storage.remove(entity, where),
  transaction: (work) => storage.transaction(work),
});
