import type { StorageBackend } from '@holdfast/plugin-api';

/** What this room asks of the product; each part takes what it needs of it. */
export interface JobsNeeds {
  storage: StorageBackend;
}
