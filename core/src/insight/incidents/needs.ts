import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { ReadingLane } from '../../engine/jobs/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface IncidentsNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  lanes: ReadingLane;
  events: EventBus;
  files: Pick<FileSystem, 'space'>;
  settings: { dataDirectory: string };
}
