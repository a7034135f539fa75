import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver, SourceHost } from '@holdfast/plugin-api/driver';
import type { JobQueue, ReadingLane } from '../../engine/jobs/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { TreePacker } from '../../foundation/ports/tree-packer.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
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
  /** Runs programs on this machine. */
  here: SourceHost;
  settings: {
    /** Absolute path. Rooms store their files below it. */
    dataDirectory: string;
    /** Absolute paths that no restore may write to. `what` names them in messages. */
    reservedPaths: readonly { path: string; what: string }[];
    /** Stable name of this installation. It is part of every archive's comment. */
    installation: string;
  };
}
