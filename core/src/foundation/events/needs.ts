import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { EventBus } from './event-bus.js';

/** The ports and services of this room; each part takes those it needs. */
export interface EventsNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  events: EventBus;
}
