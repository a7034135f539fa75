import type { InsertOf } from '@holdfast/plugin-api';
import type { ArchiveSummary, BackupDriver, ToolProgress } from '@holdfast/plugin-api/driver';
import type { Dependencies } from '../../src/app/app.js';
import { makeJobHandlers } from '../../src/app/app.js';
import { formatArchiveComment } from '../../src/backup/repositories/archive-name.rules.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { type ScheduleRow, schedules } from '../../src/backup/schedules/tables.js';
import type { JobProgress, JobStatus } from '../../src/engine/jobs/job.rules.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import type { JobContext, JobEnd, JobHandler, NewJob } from '../../src/engine/jobs/job-contract.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import type { NewEvent } from '../../src/foundation/events/event.rules.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { lostTimers } from '../fakes/lost-timers.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { silentLog } from '../fakes/silent-log.js';

const day = 86_400_000;
export const firstDay = Date.UTC(2026, 2, 1, 2);
export const installation = 'inst';

/** A schedule with archives in one repository of a tool that keeps them in a list. */
export async function maintenanceScene(settings: Partial<ScheduleRow> = {}) {
  const storage = memoryStorage();
  const clock = manualClock();
  const log = silentLog();
  const tool = {
    archives: [] as ArchiveSummary[],
    deleted: [] as string[][],
    /** Names that are gone when they are to be deleted. */
    vanished: new Set<string>(),
    warnings: [] as string[],
    damagedArchives: [] as string[],
    appendOnly: false,
    failure: null as Error | null,
    freedBytes: 3_000_000 as number | null,
    /** What the last check was asked. */
    checked: null as object | null,
    told: [] as ToolProgress[],
  };
  // Only what the handlers ask for.
  const dependencies = {
    storage,
    clock,
    log,
    driver: toolOf(tool),
    redactor: plainRedactor(),
    settings: { installation },
    timers: lostTimers(),
    secrets: { open: (_: string, envelope: string) => envelope },
    events: makeEventBus({ clock, log }),
    jobs: {
      insert: ({ scheduleId, slotId, ...job }: NewJob, session = storage) =>
        session.insert(jobs, jobRow({ ...job, scheduleId, slotId }, clock.now())),
      wake: () => undefined,
      waitsFor: async () => null,
      whenEnded: async (id: number) => jobOf(id),
    },
  } as unknown as Dependencies;
  const repository = await storage.insert(repositories, repositoryRow);
  const schedule = await storage.insert(schedules, { ...scheduleRow, ...settings });
  const handlers = new Map(makeJobHandlers(dependencies).map((handler) => [handler.kind, handler]));
  const lines: string[] = [];
  const progress: Partial<JobProgress>[] = [];

  const jobOf = async (id: number): Promise<JobRow> => {
    const [job] = await storage.find(jobs, { where: { id } });
    if (!job) throw new Error(`no job ${id}`);
    return job;
  };
  const handlerOf = (job: JobRow) => handlers.get(job.kind) as JobHandler;

  const scene = {
    storage,
    clock,
    tool,
    repository,
    schedule,
    lines,
    progress,
    jobOf,
    handlerOf,
    dependencies,
    events: [] as NewEvent[],
    /** A backup job that ended. */
    async backup(values: Partial<JobRow> = {}): Promise<JobRow> {
      const status: JobStatus = 'completed';
      const job = { kind: 'backup' as const, repository, parameters: {}, requestedBy: 'nightly' };
      const row = jobRow({ ...job, scheduleId: schedule.id }, clock.now());
      return storage.insert(jobs, { ...row, status, ...values });
    },
    /** An archive that a job recorded, `days` after the first day; of another schedule where `scheduleId` says so. */
    async archive(
      name: string,
      days: number,
      of: Partial<InsertOf<typeof archives>> & { jobId?: number; scheduleId?: number | null } = {},
    ) {
      const { jobId = 9_000, scheduleId = schedule.id, ...more } = of;
      const made: ArchiveSummary = {
        id: `id-of-${name}`,
        name,
        start: firstDay + days * day,
        end: null,
        hostname: 'h',
        username: 'u',
        comment: of.comment ?? formatArchiveComment({ installation, schedule: scheduleId, job: jobId }),
      };
      tool.archives.push(made);
      const { id: tool_id, ...values } = made;
      const recorded = { job_id: jobId, schedule_id: scheduleId };
      const row = { ...values, ...recorded, ...more, tool_id, repository_id: repository.id, seen_at: 0 };
      await storage.insert(archives, row);
    },
    async rows(): Promise<string[]> {
      return (await storage.find(archives)).map(({ name }) => name);
    },
    async pending(): Promise<JobRow[]> {
      return storage.find(jobs, { where: { status: 'pending' } });
    },
    /** The repository is as the row says by then. */
    async begin(job: JobRow): Promise<JobContext> {
      const [now] = await storage.find(repositories, { where: { id: repository.id } });
      const patch = { status: 'running' as const, started_at: clock.now(), fence: job.fence + 1 };
      await storage.update(jobs, { id: job.id }, patch);
      const context: Partial<JobContext> = {
        job: { ...job, ...patch },
        repository: now ?? repository,
        signal: new AbortController().signal,
        progress: (patch) => progress.push(patch),
        log: ({ text }) => lines.push(text),
        toolOptions: () => ({}),
      };
      return context as JobContext;
    },
    /** As the engine does: terminal state and the handler's part in one transaction. Returns the kinds of the events. */
    async settle(job: JobRow, end: Partial<JobEnd>): Promise<string[]> {
      const whole: JobEnd = { status: 'completed', error: null, outcome: null, ...end };
      const row = await jobOf(job.id);
      const settlement = handlerOf(job).settle(row, whole, repository);
      await storage.transaction(async (session) => {
        await session.update(jobs, { id: job.id }, { status: whole.status, outcome: whole.outcome });
        await settlement.commit?.(session, async (event) => void scene.events.push(event));
      });
      scene.events.push(...(settlement.events ?? []));
      return (settlement.events ?? []).map(({ kind }) => kind);
    },
    /** Runs (or recovers) a job to its end. */
    async run(job: JobRow, way: 'run' | 'recover' = 'run') {
      const result = await handlerOf(job)[way](await scene.begin(job));
      const { status, error = null, outcome = null } = result;
      const events = await scene.settle(job, { status, error, outcome });
      return { ...result, events };
    },
    async maintenanceStatus(id: number): Promise<string | null> {
      return (await jobOf(id)).maintenance_status;
    },
  };
  return scene;
}
export type MaintenanceScene = Awaited<ReturnType<typeof maintenanceScene>>;

interface FakeTool {
  archives: ArchiveSummary[];
  deleted: string[][];
  vanished: Set<string>;
  warnings: string[];
  damagedArchives: string[];
  appendOnly: boolean;
  failure: Error | null;
  freedBytes: number | null;
  checked: object | null;
  told: ToolProgress[];
}

function toolOf(tool: FakeTool): BackupDriver {
  const fail = () => {
    if (tool.failure) throw tool.failure;
  };
  const operations: Partial<BackupDriver> = {
    listArchives: async () => ({ value: [...tool.archives], warnings: [] }),
    deleteArchives: async (_target, { archives: names }) => {
      fail();
      tool.deleted.push(names);
      tool.archives = tool.archives.filter(({ name }) => !names.includes(name));
      const missing = names.filter((name) => tool.vanished.has(name));
      const deleted = names.filter((name) => !tool.vanished.has(name));
      return { value: { deleted, missing }, warnings: tool.warnings };
    },
    compact: async () => {
      fail();
      const { freedBytes, appendOnly } = tool;
      return { value: { freedBytes, appendOnly }, warnings: tool.warnings };
    },
    check: async (_target, input, options) => {
      tool.checked = input;
      for (const progress of tool.told) options?.onProgress?.(progress);
      fail();
      const { damagedArchives } = tool;
      return { value: { partial: false, damagedArchives }, warnings: tool.warnings };
    },
    signArchives: async (_target, { archives: names, onSigned }) => {
      fail();
      for (const name of names) {
        const rewritten = ({ id, ...each }: ArchiveSummary) =>
          each.name === name ? { ...each, id: `new-${id}` } : { ...each, id };
        tool.archives = tool.archives.map(rewritten);
        onSigned(name);
      }
      return { value: null, warnings: tool.warnings };
    },
    open: async () => ({
      value: { id: 't', encryption: 'none', lastModified: null, storedSize: 4711 },
      warnings: [],
    }),
  };
  return operations as BackupDriver;
}

const jobRow = ({ kind, repository, parameters, requestedBy, scheduleId, slotId }: NewJob, now: number) => ({
  kind,
  status: 'pending' as const,
  parameters,
  requested_by: requestedBy,
  requested_at: now,
  repository_id: repository.id,
  repository_path: repository.path,
  repository_name: repository.name,
  schedule_id: scheduleId ?? null,
  slot_id: slotId ?? null,
  progress: noProgress,
});

const repositoryRow: InsertOf<typeof repositories> = {
  uid: 'u',
  tool_id: 't',
  name: 'home',
  path: '/backups/home',
  encryption: 'none',
  compression: 'lz4',
  source_directories: ['/home'],
  exclude_patterns: [],
  mode: 'full',
  created_at: 0,
  updated_at: 0,
};

const scheduleRow: InsertOf<typeof schedules> = {
  name: 'nightly',
  cron_expression: '0 2 * * *',
  timezone: 'UTC',
  catch_up: 'one',
  prune_keep_daily: 2,
  prune_keep_weekly: 0,
  prune_keep_monthly: 0,
  prune_keep_yearly: 0,
  created_at: 0,
  updated_at: 0,
};
