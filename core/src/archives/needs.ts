import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../events/index.js';
import type { JobQueue, ReadingLane } from '../jobs/index.js';
import type { Redactor, SecretBox } from '../ports/services.js';
import type { CacheChoice, CacheControl } from './cache/cache-control.js';
import type { ArchiveListings } from './listing/archive-listings.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface ArchivesNeeds {
  storage: StorageBackend;
  cacheControl: CacheControl;
  listings: ArchiveListings;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  jobs: JobQueue;
  lanes: ReadingLane;
  events: EventBus;
  settings: {
    /** As the environment says; what is stored goes over it. */
    cache: CacheChoice;
    /** How the environment names the external store. */
    cacheConnection: 'external_url' | 'local';
  };
}
