import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../events/index.js';
import type { JobQueue, ReadingLane } from '../jobs/index.js';
import type { Redactor, SecretBox } from '../ports/services.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface MaintenanceNeeds {
  storage: StorageBackend;
  timers: TimerService;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  jobs: JobQueue;
  lanes: ReadingLane;
  events: EventBus;
}
