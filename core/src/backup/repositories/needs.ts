import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { ReadingLane } from '../../engine/jobs/index.js';
import type { LoadedSource } from '../../engine/plugins/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';

/** The ports and services of this room; each part takes those it needs. */
export interface RepositoriesNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  files: FileSystem;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  sourceKinds: readonly LoadedSource[];
  lanes: ReadingLane;
  events: EventBus;
  remoteHost: RemoteHost;
  settings: {
    /** Absolute. Rooms store their files below it. */
    dataDirectory: string;
  };
}
