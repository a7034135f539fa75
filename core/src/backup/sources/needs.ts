import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { ProgramHost } from '@holdfast/plugin-api/source';
import type { LoadedSource } from '../../engine/plugins/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';

/** Ports and services that this room depends on. */
export interface SourcesNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  events: EventBus;
  remoteHost: RemoteHost;
  /** Of this machine. */
  programs: ProgramHost;
  sourceKinds: readonly LoadedSource[];
  settings: {
    /** Absolute. */
    dataDirectory: string;
    /** What the service itself uses is not offered as a source. */
    reservedPaths?: readonly { path: string }[];
    ownDatabase?: string | undefined;
    /** Seconds without output after which a dump counts as failed. */
    stalledPullSeconds?: number;
  };
}
