import type { StorageBackend, WorkLedger } from '@holdfast/plugin-api';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import { vi } from 'vitest';
import { type RepositoryRow, repositories } from '../../src/backup/repositories/tables.js';
import type { EngineCore, JobEngineParts } from '../../src/engine/jobs/engine-core.js';
import type { JobKind } from '../../src/engine/jobs/job.rules.js';
import type { JobContext, JobHandler, JobResult } from '../../src/engine/jobs/job-contract.js';
import { makeJobEngine } from '../../src/engine/jobs/job-engine.js';
import { JobLedger } from '../../src/engine/jobs/job-ledger.js';
import { LaneWaiters } from '../../src/engine/jobs/lanes.js';
import { RunningJobs } from '../../src/engine/jobs/running-jobs.js';
import { type JobRow, jobs, lanes } from '../../src/engine/jobs/tables.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { type EventRow, events } from '../../src/foundation/events/tables.js';
import { paces } from '../../src/foundation/kernel/pace.js';
import { lostTimers } from '../fakes/lost-timers.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { silentLog } from '../fakes/silent-log.js';

export const clock = { now: () => Date.now() };

export const tool: ToolProcess = { pid: 4711, startedAt: '1', host: 'boot-1' };

export async function insertRepository(storage: StorageBackend, name: string): Promise<RepositoryRow> {
  return storage.insert(repositories, {
    uid: `uid-${name}`,
    tool_id: `tool-${name}`,
    name,
    path: `/repositories/${name}`,
    encryption: 'none',
    compression: 'lz4',
    source_directories: [],
    exclude_patterns: [],
    mode: 'full',
    created_at: 0,
    updated_at: 0,
  });
}

/** A run that the test ends by hand. */
export interface HeldRun {
  context: JobContext;
  finish(result?: JobResult): void;
  fail(error: unknown): void;
}

export interface HeldHandler extends JobHandler {
  /** Runs in the order in which they began; `recoveries` those of `recover`. */
  runs: HeldRun[];
  recoveries: HeldRun[];
}

/** A handler whose runs end when the test says so, or with the reason of their aborted signal. */
export function heldHandler(kind: JobKind = 'backup', lane: JobHandler['lane'] = 'exclusive'): HeldHandler {
  const hold = (list: HeldRun[]) => (context: JobContext) =>
    new Promise<JobResult>((resolve, reject) => {
      list.push({ context, finish: (result = { status: 'completed' }) => resolve(result), fail: reject });
      context.signal.addEventListener('abort', () => reject(context.signal.reason));
    });
  const runs: HeldRun[] = [];
  const recoveries: HeldRun[] = [];
  return {
    kind,
    lane,
    runs,
    recoveries,
    run: hold(runs),
    recover: hold(recoveries),
    settle: (job, end) => ({
      events: [
        {
          kind: end.status === 'completed' ? 'backup_success' : 'backup_failure',
          repositoryId: job.repository_id,
          jobId: job.id,
          data: { status: end.status },
        },
      ],
    }),
  };
}

export interface InstanceOptions {
  storage: StorageBackend;
  handlers: JobHandler[];
  maxConcurrentJobs?: number;
  maxConcurrentPulls?: number;
  isGone?: JobEngineParts['isGone'];
  ledger?: WorkLedger;
}

let instances = 0;

/** One process of the service, as far as jobs go. */
export function startInstance({
  storage,
  handlers,
  maxConcurrentJobs = 100,
  maxConcurrentPulls = 2,
  isGone,
  ledger,
}: InstanceOptions) {
  const log = silentLog();
  const timers = lostTimers(ledger);
  const redactor = plainRedactor();
  const endProcess = vi.fn(async (_: ToolProcess) => 'ended' as 'ended' | 'gone' | 'elsewhere');
  instances += 1;
  const engine = makeJobEngine({
    storage,
    timers,
    driver: { endProcess },
    events: makeEventBus({ clock, log }),
    clock,
    log,
    redactor,
    settings: { maxConcurrentJobs, maxConcurrentPulls },
    instanceId: `instance-${instances}`,
    ...(isGone && { isGone }),
  });
  engine.start(handlers);
  return { ...engine, log, timers, redactor, endProcess };
}
export type Instance = ReturnType<typeof startInstance>;

/** Lets time pass; everything that is due happens. */
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

export async function jobRow(storage: StorageBackend, id: number): Promise<JobRow> {
  const [row] = await storage.find(jobs, { where: { id } });
  if (!row) throw new Error(`no job ${id}`);
  return row;
}

/** The recorded events that handlers added to those of the engine. */
export const ofHandlers = async (storage: StorageBackend): Promise<EventRow[]> =>
  (await storage.find(events)).filter(({ kind }) => !kind.startsWith('job_'));

export async function holdersOf(storage: StorageBackend, repositoryId: number): Promise<string[]> {
  const [lane] = await storage.find(lanes, { where: { repository_id: repositoryId } });
  return (lane?.holders ?? []).map(({ id }) => id);
}

/** A job of a repository, fired on the instance. */
export async function request(instance: Instance, repository: RepositoryRow, kind: JobKind = 'backup') {
  const job = await instance.queue.insert({ kind, repository, parameters: {}, requestedBy: 'alice' });
  instance.queue.wake(job.id);
  return job;
}

/** What the parts of an engine share, for tests of one part. */
export function engineCore(storage: StorageBackend, handlers: JobHandler[]): EngineCore {
  const log = silentLog();
  const timers = lostTimers();
  const running = new RunningJobs({ work: 4, pull: 4 });
  return {
    storage,
    log,
    clock,
    timers,
    ledger: new JobLedger({ storage, timers, log, running, timings: paces.usual.jobs }),
    driver: { endProcess: async () => 'gone' },
    events: makeEventBus({ clock, log }),
    redactor: plainRedactor(),
    settings: { maxConcurrentJobs: 4 },
    instanceId: 'instance-x',
    timings: paces.usual.jobs,
    handlers: new Map(handlers.map((handler) => [handler.kind, handler])),
    running,
    laneWaiters: new LaneWaiters(),
  };
}

export { memoryStorage };
