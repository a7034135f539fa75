import { newSchedule, scheduleChanges } from '@holdfast/contracts';
import type { StorageBackend, WorkLedger } from '@holdfast/plugin-api';
import type { Dependencies } from '../../src/app/app.js';
import { makeJobHandlers } from '../../src/app/app.js';
import { deleteRepository } from '../../src/backup/repositories/delete-repository.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { makeSlotWorker } from '../../src/backup/schedules/calendar/index.js';
import { plannedBackups } from '../../src/backup/schedules/fire-schedule.js';
import { forgetInSchedules } from '../../src/backup/schedules/settle-slot.js';
import { scheduleRepositories, schedules, slots } from '../../src/backup/schedules/tables.js';
import { schedulesUseCases } from '../../src/backup/schedules/use-cases.js';
import { waitingRuns } from '../../src/backup/schedules/waiting-runs.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import type { JobEnd } from '../../src/engine/jobs/job-contract.js';
import { makeJobEngine } from '../../src/engine/jobs/job-engine.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { events } from '../../src/foundation/events/tables.js';
import { type Caller, errorColumns } from '../../src/foundation/kernel/index.js';
import { lostTimers } from '../fakes/lost-timers.js';
import { type ManualClock, manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { silentLog } from '../fakes/silent-log.js';

const never = 2 ** 31 - 1;
export const caller = { userId: 1, username: 'alice', isAdmin: true, readOnly: false, tokenId: 1 };

/** Schedules over a storage, with a clock that the test moves; `runner` looks only when it is told to. */
export function makeWorld(
  storage: StorageBackend = memoryStorage(),
  clock: ManualClock = manualClock(Date.parse('2026-03-01T12:10:00Z')),
  ledger?: WorkLedger,
) {
  const log = silentLog();
  const timers = lostTimers(ledger);
  const bus = makeEventBus({ clock, log });
  const { queue } = makeJobEngine({
    storage,
    clock,
    log,
    timers,
    events: bus,
    redactor: plainRedactor(),
    driver: { endProcess: async () => 'gone' },
    settings: { maxConcurrentJobs: 1 },
    instanceId: 'instance-1',
  });
  const disks = new Map<string, string>();
  const mounts = new Set<string>();
  const hosts = new Set<string>();
  // Only what the area asks for.
  const dependencies = {
    storage,
    clock,
    log,
    timers,
    events: bus,
    jobs: queue,
    settings: { installation: 'inst' },
    driver: { forget: async () => undefined, idAt: async (path: string) => disks.get(path) ?? null },
    files: { isMounted: (what: string) => mounts.has(what) },
    remoteHost: { answers: async ({ host }: { host: string }) => hosts.has(host) },
  } as unknown as Dependencies;
  const runner = makeSlotWorker(
    dependencies,
    [{ ...plannedBackups, waiting: (needs) => waitingRuns(needs, 0) }],
    {
      ...{ scanEvery: never, tendEvery: never, waitEvery: never },
    },
  );
  const useCases = schedulesUseCases(dependencies);
  const all = () => storage.find(slots, { order: [['planned_at', 'asc']] });

  async function endJob(job: JobRow, end: Partial<JobEnd> = {}) {
    const whole: JobEnd = { status: 'completed', error: null, outcome: null, ...end };
    await storage.transaction(async (session) => {
      const patch = {
        ...{ status: whole.status, ...errorColumns(whole.error) },
        ...{ outcome: whole.outcome, completed_at: clock.now() },
      };
      await session.update(jobs, { id: job.id }, patch);
      const [repository] = await session.find(repositories, { where: { id: job.repository_id ?? 0 } });
      const settlement = makeJobHandlers(dependencies)[0]?.settle(
        { ...job, ...patch },
        whole,
        repository ?? null,
      );
      for (const event of settlement?.events ?? []) await bus.record(session, event);
      await settlement?.commit?.(session, async (event) => void (await bus.record(session, event)));
    });
  }

  return {
    storage,
    clock,
    log,
    timers,
    dependencies,
    /** What is there: repository ids by path, mounts, and hosts that answer. */
    around: { disks, mounts, hosts },
    runner,
    ...useCases,
    endJob,
    deleteRepository: deleteRepository.bind(null, dependencies, [forgetInSchedules]),
    create: (input: object = {}) =>
      useCases.createSchedule(newSchedule.passthrough().parse({ ...usual, ...input })),
    update: (id: number, input: object, by: Caller = caller) =>
      useCases.updateSchedule(by, id, scheduleChanges.passthrough().parse(input)),
    addRepository: (name: string, mode: 'full' | 'observe' = 'full') =>
      storage.insert(repositories, {
        uid: `uid-${name}`,
        tool_id: `tool-${name}`,
        name,
        path: `/backups/${name}`,
        mode,
        encryption: 'none',
        compression: 'lz4',
        source_directories: ['/home'],
        exclude_patterns: [],
        created_at: 0,
        updated_at: 0,
      }),
    addJob: (repositoryId: number) =>
      storage.insert(jobs, {
        kind: 'backup',
        status: 'pending',
        repository_id: repositoryId,
        requested_by: 'alice',
        repository_path: '/p',
        repository_name: 'n',
        requested_at: 0,
        parameters: {},
        progress: noProgress,
      }),
    /** Time passes, and the runner looks once. */
    async lookAt(text: string) {
      clock.set(Date.parse(text));
      await runner.look();
    },
    row: async (id: number) => (await storage.find(schedules, { where: { id } }))[0],
    links: async (id: number) =>
      (
        await storage.find(scheduleRepositories, { where: { schedule_id: id }, order: [['position', 'asc']] })
      ).map((link) => link.repository_id),
    slots: all,
    ledger: async () =>
      (await all()).map(({ planned_at, outcome }) => [new Date(planned_at).toISOString(), outcome]),
    jobs: () => storage.find(jobs),
    told: async () =>
      (await storage.find(events, { where: { kind: 'schedule_changed' } })).map(({ data }) => data),
    failures: async () => (await storage.find(events)).filter(({ kind }) => kind === 'schedule_failure'),
  };
}
export type World = ReturnType<typeof makeWorld>;

const usual = { name: 'nightly', cron_expression: '0 * * * *', repository_ids: [1] };
