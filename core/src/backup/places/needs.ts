import type { Clock, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { ToolVersion } from '../../engine/plugins/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { SecretBox } from '../../foundation/ports/services.js';

/** The ports and services of this room; each part takes those it needs. */
export interface PlacesNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  files: FileSystem;
  remoteHost: RemoteHost;
  secrets: SecretBox;
  clock: Clock;
  events: EventBus;
  toolVersion: ToolVersion;
  settings: {
    /** Absolute. */
    dataDirectory: string;
  };
}
