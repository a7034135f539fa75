import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { EventBus } from '../events/index.js';
import type { JobQueue } from '../jobs/index.js';
import type { SecretBox } from '../ports/services.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface SchedulesNeeds {
  storage: StorageBackend;
  timers: TimerService;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  jobs: JobQueue;
  events: EventBus;
}
