import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { EventBus } from '../../foundation/events/index.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { NotifierRegistry } from './notifier-registry.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface NotificationsNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  events: EventBus;
  notifiers: NotifierRegistry;
}
