import type { EventBus } from '../events/index.js';
import type { JobQueue, ReadingLane } from '../jobs/index.js';
import type { AlarmClock } from '../ports/alarm-clock.js';
import type { BackupDriver } from '../ports/backup-driver.js';
import type { Clock, Log, Redactor, SecretBox } from '../ports/services.js';
import type { StorageBackend } from '../ports/storage.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface MaintenanceNeeds {
  storage: StorageBackend;
  alarms: AlarmClock;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  jobs: JobQueue;
  lanes: ReadingLane;
  events: EventBus;
}
