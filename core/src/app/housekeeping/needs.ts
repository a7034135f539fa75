import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface HousekeepingNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
}
