import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { JobQueue, ReadingLane } from '../../engine/jobs/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { ArchiveIndexes } from '../../foundation/ports/archive-index.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface MaintenanceNeeds {
  storage: StorageBackend;
  timers: TimerService;
  indexes: ArchiveIndexes;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  jobs: JobQueue;
  lanes: ReadingLane;
  events: EventBus;
}
