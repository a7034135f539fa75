import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { JobQueue, ReadingLane } from '../../engine/jobs/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { ArchiveIndexes } from '../../foundation/ports/archive-index.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { CacheChoice, CacheControl } from './cache/cache-control.js';
import type { ArchiveListings } from './listing/archive-listings.js';

/** The ports and services of this room; each part takes those it needs. */
export interface ArchivesNeeds {
  storage: StorageBackend;
  cacheControl: CacheControl;
  listings: ArchiveListings;
  indexes: ArchiveIndexes;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  jobs: JobQueue;
  lanes: ReadingLane;
  events: EventBus;
  settings: {
    /** Settings from the environment; stored ones override them. */
    cache: CacheChoice;
    /** How the environment configures the external store. */
    cacheConnection: 'external_url' | 'local';
  };
}
