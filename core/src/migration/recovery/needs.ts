import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { JobQueue, ReadingLane } from '../../engine/jobs/index.js';
import type { LoadedSource } from '../../engine/plugins/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { SheetPress } from '../../foundation/ports/sheet-press.js';

/** The keys of this installation in plain text: a copy without them would be worth nothing. */
export interface OwnKeys {
  current: string;
  former: readonly string[];
}

/** Dependencies of a recovery sheet, which can be made without a running service. */
export interface SheetNeeds {
  storage: StorageBackend;
  driver: Pick<BackupDriver, 'exportKey'>;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  sheetPress: SheetPress;
  /** Release of this software. */
  serverVersion: string;
  settings: {
    /** Stable name of this installation. */
    installation: string;
  };
}

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface RecoveryNeeds extends SheetNeeds {
  driver: BackupDriver;
  files: FileSystem;
  timers: TimerService;
  sourceKinds: readonly LoadedSource[];
  lanes: ReadingLane;
  jobs: JobQueue;
  events: EventBus;
  remoteHost: RemoteHost;
  ownKeys: OwnKeys;
  settings: SheetNeeds['settings'] & {
    /** Absolute. */
    dataDirectory: string;
  };
}
