import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../events/index.js';
import type { JobQueue } from '../jobs/index.js';
import type { FileSystem } from '../ports/filesystem.js';
import type { RemoteHost } from '../ports/remote-host.js';
import type { ScriptRunner } from '../ports/script-runner.js';
import type { Redactor, SecretBox } from '../ports/services.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface BackupsNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  files: FileSystem;
  scriptRunner: ScriptRunner;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  jobs: JobQueue;
  events: EventBus;
  remoteHost: RemoteHost;
  settings: {
    /** How long a host may send nothing while its data is pulled. */
    stalledPullSeconds?: number;
    /** Stable name of this installation, part of every archive's comment. */
    installation: string;
  };
}
