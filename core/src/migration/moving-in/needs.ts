import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { JobQueue, ReadingLane } from '../../engine/jobs/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';

/** The ports and services of this room; each part takes those it needs. */
export interface MovingInNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  files: FileSystem;
  remoteHost: RemoteHost;
  secrets: SecretBox;
  redactor: Redactor;
  clock: Clock;
  log: Log;
  timers: TimerService;
  events: EventBus;
  jobs: JobQueue;
  lanes: ReadingLane;
  settings: {
    /** Absolute. */
    dataDirectory: string;
  };
}
