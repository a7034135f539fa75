import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { JobQueue } from '../../engine/jobs/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { ArchiveIndexes } from '../../foundation/ports/archive-index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { ScriptRunner } from '../../foundation/ports/script-runner.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { SourcesNeeds } from '../sources/index.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface BackupsNeeds extends SourcesNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  indexes: ArchiveIndexes;
  files: FileSystem;
  scriptRunner: ScriptRunner;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  jobs: JobQueue;
  events: EventBus;
  remoteHost: RemoteHost;
  settings: SourcesNeeds['settings'] & {
    /** Idle timeout in seconds while data is pulled from a host. */
    stalledPullSeconds?: number;
    /** Stable name of this installation. It is part of every archive's comment. */
    installation: string;
  };
}
