import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../events/index.js';
import type { JobQueue, ReadingLane } from '../jobs/index.js';
import type { FileSystem } from '../ports/filesystem.js';
import type { RemoteHost } from '../ports/remote-host.js';
import type { Redactor, SecretBox } from '../ports/services.js';
import type { TreePacker } from '../ports/tree-packer.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface RestoreNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  files: FileSystem;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  jobs: JobQueue;
  lanes: ReadingLane;
  events: EventBus;
  remoteHost: RemoteHost;
  trees: TreePacker;
  settings: {
    /** Absolute. What a room keeps on disk lies below it. */
    dataDirectory: string;
    /** Absolute paths that the service lives by, with what they are: no restore writes there. */
    reservedPaths: readonly { path: string; what: string }[];
    /** Stable name of this installation, part of every archive's comment. */
    installation: string;
  };
}
