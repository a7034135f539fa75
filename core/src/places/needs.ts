import type { Clock, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../events/index.js';
import type { ToolVersion } from '../plugins/index.js';
import type { FileSystem } from '../ports/filesystem.js';
import type { RemoteHost } from '../ports/remote-host.js';
import type { SecretBox } from '../ports/services.js';

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
