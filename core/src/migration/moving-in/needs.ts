import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { cacheUseCases } from '../../backup/archives/index.js';
import type { drillsUseCases } from '../../backup/drills/index.js';
import type { scriptsUseCases } from '../../backup/hooks/index.js';
import type { maintenanceUseCases } from '../../backup/maintenance/index.js';
import type { RecallRepository, repositoriesUseCases } from '../../backup/repositories/index.js';
import type { schedulesUseCases } from '../../backup/schedules/index.js';
import type { sshUseCases } from '../../backup/ssh/index.js';
import type { JobQueue, ReadingLane } from '../../engine/jobs/index.js';
import type { IsolatedImporter, LoadedSource } from '../../engine/plugins/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { notificationsUseCases } from '../../insight/notifications/index.js';

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
  sourceKinds: readonly LoadedSource[];
  lanes: ReadingLane;
  settings: {
    /** Absolute. */
    dataDirectory: string;
  };
}

type NeedsOf<F extends (needs: never, ...rest: never[]) => unknown> = Parameters<F>[0];

/** Settings are read and written through the use cases of their rooms. */
export type SettingsNeeds = NeedsOf<typeof cacheUseCases> &
  NeedsOf<typeof drillsUseCases> &
  NeedsOf<typeof maintenanceUseCases> &
  NeedsOf<typeof notificationsUseCases> &
  NeedsOf<typeof repositoriesUseCases> &
  NeedsOf<typeof schedulesUseCases> &
  NeedsOf<typeof scriptsUseCases> &
  NeedsOf<typeof sshUseCases> & {
    serverVersion: string;
    importers: readonly IsolatedImporter[];
    /** Callbacks of other modules for a registration that is restored. */
    recalls: readonly RecallRepository[];
  };
