import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../events/index.js';
import type { Redactor } from '../ports/services.js';
import type { JobKind } from './job.rules.js';
import type { JobHandler } from './job-contract.js';
import type { JobTimings } from './job-timings.js';
import type { LaneWaiters } from './lanes.js';
import type { RunningJobs } from './running-jobs.js';
import type { InstanceRow } from './tables.js';

/** What the job engine is given. */
export interface JobEngineParts {
  storage: StorageBackend;
  timers: TimerService;
  driver: Pick<BackupDriver, 'endProcess'>;
  events: EventBus;
  clock: Clock;
  log: Log;
  redactor: Redactor;
  settings: { maxConcurrentJobs: number; maxConcurrentPulls?: number };
  /** Unique for each run of the process: the `uid` of its row among the instances. */
  instanceId: string;
  /** Whether an instance is known to have ended, though its lease goes on; without it only leases tell. */
  isGone?: (row: InstanceRow) => boolean;
  /** For tests; the defaults are `jobTimings`. */
  timings?: Partial<JobTimings>;
}

/** What the parts of the engine share. */
export interface EngineCore extends Omit<JobEngineParts, 'timings'> {
  timings: JobTimings;
  handlers: ReadonlyMap<JobKind, JobHandler>;
  running: RunningJobs;
  bell: LaneWaiters;
}
