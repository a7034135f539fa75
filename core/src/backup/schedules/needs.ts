import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { JobQueue } from '../../engine/jobs/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { SecretBox } from '../../foundation/ports/services.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface SchedulesNeeds {
  storage: StorageBackend;
  timers: TimerService;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  jobs: JobQueue;
  events: EventBus;
}
