import type { Clock, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { EventBus } from '../../foundation/events/index.js';
import type { Message, Pace } from '../../foundation/kernel/index.js';
import type { Redactor } from '../../foundation/ports/services.js';
import type { JobKind } from './job.rules.js';
import type { JobHandler } from './job-contract.js';
import type { JobLedger } from './job-ledger.js';
import type { LaneWaiters } from './lanes.js';
import type { RunningJobs } from './running-jobs.js';
import type { InstanceRow } from './tables.js';

/** The dependencies and settings of the job engine. */
export interface JobEngineParts {
  storage: StorageBackend;
  timers: TimerService;
  driver: Pick<BackupDriver, 'endProcess'>;
  events: EventBus;
  clock: Clock;
  log: Log;
  redactor: Redactor;
  settings: { maxConcurrentJobs: number; maxConcurrentPulls?: number };
  /** Unique for each run of the process: the `uid` of its row in `instances`. */
  instanceId: string;
  /** True when an instance is known to have ended although its lease has not. Without it only leases count. */
  isGone?: (row: InstanceRow) => boolean;
  /** Why no job may start now, as what it waits for; null while jobs may start. */
  lacksRoom?: () => Promise<Message | null>;
  /** Default: the usual ones. */
  timings?: Pace['jobs'];
}

/** State and settings that the parts of the engine share. */
export interface EngineCore extends Omit<JobEngineParts, 'timings'> {
  timings: Pace['jobs'];
  handlers: ReadonlyMap<JobKind, JobHandler>;
  running: RunningJobs;
  laneWaiters: LaneWaiters;
  ledger: JobLedger;
}
