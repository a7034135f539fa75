import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { EventBus } from './event-bus.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface EventsNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  events: EventBus;
}
