import type { ToolProcess } from '@holdfast/plugin-api/driver';
import type { Dependencies } from '../../src/app/app.js';
import type { HookType, RunOn } from '../../src/backup/hooks/script.rules.js';
import { hookJournals, repositoryScripts, scripts } from '../../src/backup/hooks/tables.js';
import { withHooks } from '../../src/backup/hooks/with-hooks.js';
import { type RepositoryRow, repositories } from '../../src/backup/repositories/tables.js';
import { noteSchedule } from '../../src/backup/schedules/schedules.js';
import { slots } from '../../src/backup/schedules/tables.js';
import { type JobStatus, noProgress } from '../../src/engine/jobs/job.rules.js';
import { JobAborted } from '../../src/engine/jobs/job-aborted.js';
import type { JobContext, JobResult } from '../../src/engine/jobs/job-contract.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { events } from '../../src/foundation/events/tables.js';
import type { ScriptOrder, ScriptResult } from '../../src/foundation/ports/script-runner.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { silentLog } from '../fakes/silent-log.js';

const well: ScriptResult = { end: 'exited', exitCode: 0, problem: null, stdout: '', stderr: '', seconds: 1 };
export const failing = (exitCode: number): ScriptResult => ({ ...well, exitCode });

const unused = () => Promise.reject(new Error('not in this scene'));
const noHost = { name: 'this server', toolPath: null, run: unused, connect: unused };

/** What sources need, for backups without any. */
export const preparesNothing = {
  driver: {} as Dependencies['driver'],
  remoteHost: { run: unused } as unknown as Dependencies['remoteHost'],
  programs: noHost,
  sourceKinds: [] as Dependencies['sourceKinds'],
  settings: { dataDirectory: '/nowhere' },
};

export interface Run {
  context: JobContext;
  cancel(): void;
  lose(): void;
}

/** Backups with hooks whose scripts are functions of the test, over a storage in memory. */
export function makeScene() {
  const storage = memoryStorage();
  const clock = manualClock();
  const log = silentLog();
  const ran: string[] = [];
  const ended: ToolProcess[] = [];
  const orders: ScriptOrder[] = [];
  /** What a script does, by its text; those without an entry end well. */
  const behaviour: Record<string, (order: ScriptOrder) => ScriptResult | Promise<ScriptResult>> = {};
  let pids = 100;

  const scriptRunner: Dependencies['scriptRunner'] = {
    async run(order) {
      pids += 1;
      await order.onProcess?.({ pid: pids, startedAt: '1', host: 'boot' });
      if (order.signal?.aborted) return { ...well, end: 'aborted', exitCode: -1 };
      ran.push(order.content);
      orders.push(order);
      return (await behaviour[order.content]?.(order)) ?? well;
    },
    async endProcess(process) {
      ended.push(process);
      return 'ended';
    },
  };
  const needs = {
    storage,
    clock,
    log,
    scriptRunner,
    redactor: plainRedactor(),
    events: makeEventBus({ clock, log }),
    noteSchedule,
    ...preparesNothing,
    secrets: {
      seal: (purpose: string, plain: string) => `${purpose}\n${plain}`,
      open: (_purpose: string, sealed: string) => sealed.slice(sealed.indexOf('\n') + 1),
    },
  };
  let tool: () => Promise<JobResult> = async () => ({ status: 'completed' });
  const work = async () => {
    ran.push('backup');
    return tool();
  };
  const hooks = withHooks(needs, { run: work, recover: work });

  return {
    storage,
    clock,
    log,
    ran,
    ended,
    orders,
    behaviour,
    needs,
    hooks,
    toolDoes(what: () => Promise<JobResult>) {
      tool = what;
    },
    addRepository: (name: string, settings: Partial<RepositoryRow> = {}) =>
      storage.insert(repositories, {
        uid: name,
        tool_id: name,
        name,
        path: `/backups/${name}`,
        mode: 'full',
        encryption: 'none',
        compression: 'lz4',
        source_directories: ['/home'],
        exclude_patterns: [],
        created_at: 0,
        updated_at: 0,
        ...settings,
      }),
    addScript: (name: string) =>
      storage.insert(scripts, {
        uid: name,
        name,
        content: name,
        category: 'custom',
        timeout: 60,
        run_on: 'always',
        parameters: [],
        created_at: 0,
        updated_at: 0,
      }),
    attach: (
      repository: RepositoryRow,
      script: number,
      more: { hook_type: HookType; custom_run_on?: RunOn; continue_on_error?: boolean },
    ) =>
      storage.insert(repositoryScripts, {
        repository_id: repository.id,
        script_id: script,
        created_at: 0,
        ...more,
      }),
    addSlot: () =>
      storage.insert(slots, {
        schedule_id: 1,
        planned_at: pids++,
        trigger: 'run_now',
        outcome: 'running',
        job_ids: [],
      }),
    addJob: (repository: RepositoryRow, more: Partial<JobRow> = {}) =>
      storage.insert(jobs, {
        kind: 'backup',
        status: 'running',
        repository_id: repository.id,
        requested_by: 'alice',
        repository_path: repository.path,
        repository_name: repository.name,
        requested_at: 0,
        parameters: {},
        progress: noProgress,
        fence: 1,
        started_at: 0,
        ...more,
      }),
    endJob: (id: number, status: JobStatus) =>
      storage.update(jobs, { id }, { status, completed_at: clock.now() }),
    /** Another run of the job, as an instance that takes it over would have it. */
    async again(job: JobRow): Promise<JobRow> {
      await storage.update(jobs, { id: job.id }, { fence: job.fence + 1 });
      return { ...job, fence: job.fence + 1 };
    },
    enter,
    journals: () => storage.find(hookJournals),
    failures: async () => (await storage.find(events)).filter(({ kind }) => kind === 'schedule_failure'),
  };
}
export type Scene = ReturnType<typeof makeScene>;

/** One run of a job. */
export function enter(job: JobRow, repository: RepositoryRow): Run {
  const [signal, lost] = [new AbortController(), new AbortController()];
  return {
    context: {
      job,
      repository,
      signal: signal.signal,
      lost: lost.signal,
      progress: () => undefined,
      log: () => undefined,
      toolOptions: () => ({}),
    },
    cancel: () => signal.abort(new JobAborted('cancelled')),
    lose() {
      lost.abort(new JobAborted('lost'));
      signal.abort(new JobAborted('lost'));
    },
  };
}

/** The facts of a schedule with a script before and after its backups. */
export const scripted = (before: number | null, after: number | null) => ({
  schedule: {
    id: 1,
    name: 'nightly',
    timezone: 'UTC',
    plannedAt: 0,
    archiveNameTemplate: null,
    severalRepositories: true,
    runRepositoryScripts: false,
    prune: null,
    compact: false,
    preBackupScriptId: before,
    preBackupScriptParameters: null,
    postBackupScriptId: after,
    postBackupScriptParameters: null,
  },
});
