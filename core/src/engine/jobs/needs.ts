import type { Log, StorageBackend } from '@holdfast/plugin-api';
import type { JobQueue } from './job-contract.js';

/** The ports and services of this room; each part takes those it needs. */
export interface JobsNeeds {
  storage: StorageBackend;
  log: Log;
  jobs: JobQueue;
}
