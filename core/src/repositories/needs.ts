import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../events/index.js';
import type { ReadingLane } from '../jobs/index.js';
import type { FileSystem } from '../ports/filesystem.js';
import type { RemoteHost } from '../ports/remote-host.js';
import type { Redactor, SecretBox } from '../ports/services.js';

/** The ports and services of this room; each part takes those it needs. */
export interface RepositoriesNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  files: FileSystem;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  lanes: ReadingLane;
  events: EventBus;
  remoteHost: RemoteHost;
  settings: {
    /** Absolute. Rooms store their files below it. */
    dataDirectory: string;
  };
}
