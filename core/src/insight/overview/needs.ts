import type { Clock, StorageBackend } from '@holdfast/plugin-api';

/** Ports and services that this room depends on. */
export interface OverviewNeeds {
  storage: StorageBackend;
  clock: Clock;
  isLimited?: boolean;
}
