import type { StorageBackend } from '@holdfast/plugin-api';

/** The ports and services of this room; each part takes those it needs. */
export interface JobsNeeds {
  storage: StorageBackend;
}
