import type { Clock, Log, StorageBackend, StorageSession, TimerService } from '@holdfast/plugin-api';
import type { JobKind, JobQueue, NewJob } from '../../../engine/jobs/index.js';
import { type JobRow, jobs } from '../../../engine/jobs/index.js';
import type { EventBus, EventRow } from '../../../foundation/events/index.js';
import {
  clockToleranceMs,
  inTransaction,
  lastErrorColumns,
  type Message,
} from '../../../foundation/kernel/index.js';
import { type RepositoryRow, repositories } from '../../repositories/tables.js';
import { cronOutdated, cronRule } from './cron.rules.js';
import type { TimedWorker } from './join-workers.js';
import { scheduleFailure } from './schedule-failure.js';
import { planSlots, type SlotPlan } from './slot.rules.js';
import { type slotTimers, timerHorizon } from './slot-timers.js';
import { makeSlotWorker, type SlotTimings } from './slot-worker.js';
import type { PlanRow, PlanTable } from './tables.js';

export interface PlanNeeds {
  storage: StorageBackend;
  jobs: JobQueue;
  events: EventBus;
  clock: Clock;
  timers: TimerService;
  log: Log;
}

/** One kind of work that is planned for repositories, of which each has one plan. */
export interface PlannedWork<Row extends PlanRow> {
  table: PlanTable;
  timers: ReturnType<typeof slotTimers>;
  kind: JobKind;
  requestedBy: string;
  /** For people: what failed when its plan could not be run. */
  titleOf(repository: string): string;
  parametersOf(plan: Row, plannedAt: number): NewJob['parameters'];
  /** Why a run was left out that met an earlier one. */
  skipped(at: string, other: Pick<JobRow, 'id' | 'status'>): Message;
}

/** Queues work that is due. Safe with any number of instances on the same storage. */
export function makePlanWorker<Row extends PlanRow>(
  needs: PlanNeeds,
  work: PlannedWork<Row>,
  timings: Partial<SlotTimings> = {},
): TimedWorker {
  const { storage, clock, log } = needs;
  const engine = makeSlotWorker<Row>({
    clock,
    log,
    timings,
    find: (query) => storage.find(work.table, query) as Promise<Row[]>,
    fire: firePlan.bind(null, needs, work),
    arm: (plans) => work.timers.set(needs, ...plans),
    follow: work.timers.follower(needs),
    horizon: timerHorizon,
    ruleOf: ruleOfPlan,
    move: ({ id, cron_expression, timezone, next_run }, next) =>
      storage.update(
        work.table,
        { id, cron_expression, timezone, enabled: true, next_run },
        { next_run: next, last_planned: null },
      ),
    tend: async () => undefined,
  });
  return {
    ...engine,
    onTimer(key) {
      if (work.timers.isOwn(key)) void engine.look();
    },
  };
}

const ruleOfPlan = ({ cron_expression, timezone }: PlanRow) =>
  cron_expression === null ? null : cronRule({ cron_expression, timezone });

interface Fired {
  jobId: number | null;
  events: EventRow[];
}

/**
 * Queues the work of a plan that is due. The instance that advances `next_run` does it, in one transaction; all others
 * do nothing. Runs missed while the service was down are combined into one.
 */
export async function firePlan<Row extends PlanRow>(
  needs: PlanNeeds,
  work: PlannedWork<Row>,
  seen: Row,
): Promise<void> {
  const { next_run: planned } = seen;
  const now = needs.clock.now();
  if (planned === null || planned > now) return;
  const rule = ruleOfPlan(seen);
  const plan = rule && planSlots(rule, { planned, now, catchUp: 'one' });
  const fired = await inTransaction(needs.storage, (session) => fire(needs, work, session, { seen, plan }));
  if (!fired) return;
  needs.events.announce(fired.events);
  if (fired.jobId !== null) needs.jobs.wake(fired.jobId);
  work.timers.set(needs, { ...seen, next_run: plan?.next ?? null });
}

async function fire<Row extends PlanRow>(
  needs: PlanNeeds,
  work: PlannedWork<Row>,
  session: StorageSession,
  { seen, plan }: { seen: Row; plan: SlotPlan | null },
): Promise<Fired | null> {
  const { table } = work;
  const { id, cron_expression, timezone, next_run, repository_id } = seen;
  const where = { id, cron_expression, timezone, enabled: true, next_run };
  if ((await session.update(table, where, { next_run: plan?.next ?? null })) === 0) return null;
  const [row] = (await session.find(table, { where: { id }, limit: 1 })) as Row[];
  const [repository] = await session.find(repositories, { where: { id: repository_id }, limit: 1 });
  if (!row || !repository) return null;
  if (!plan) {
    const error = cronOutdated({ cron_expression: `${cron_expression}`, timezone });
    await session.update(table, { id }, lastErrorColumns(error));
    const name = work.titleOf(repository.name);
    const failure = scheduleFailure({ id: null, name }, { error: error.text }, [repository]);
    return { jobId: null, events: [await needs.events.record(session, failure)] };
  }
  const plannedAt = plan.run;
  if (plannedAt === null || hadRun(row, plannedAt, needs.clock.now())) return { jobId: null, events: [] };
  return { jobId: await queue(needs, work, session, { row, repository, plannedAt }), events: [] };
}

/** A run that is planned in the future was planned by a clock that was ahead, and counts for nothing. */
const hadRun = ({ last_planned: last }: PlanRow, plannedAt: number, now: number) =>
  last !== null && plannedAt <= last && last <= now + clockToleranceMs;

/** Only one job of the kind per repository at a time. A planned one that meets another is skipped and recorded. */
async function queue<Row extends PlanRow>(
  needs: PlanNeeds,
  { table, kind, requestedBy, parametersOf, skipped }: PlannedWork<Row>,
  session: StorageSession,
  { row, repository, plannedAt }: { row: Row; repository: RepositoryRow; plannedAt: number },
): Promise<number | null> {
  const other = await unfinishedJob(session, repository.id, kind);
  const at = { last_planned: plannedAt };
  if (other) {
    const why = skipped(new Date(plannedAt).toISOString(), other);
    await session.update(table, { id: row.id }, { ...at, ...lastErrorColumns(why) });
    return null;
  }
  const job = await needs.jobs.insert(
    { kind, repository, parameters: parametersOf(row, plannedAt), requestedBy },
    session,
  );
  const patch = { ...at, last_run: job.requested_at, ...lastErrorColumns(null) };
  await session.update(table, { id: row.id }, patch);
  return job.id;
}

/** A job of the kind on the repository that has not ended. */
export async function unfinishedJob(
  session: Pick<StorageSession, 'find'>,
  repositoryId: number,
  kind: JobKind,
): Promise<JobRow | null> {
  const open = { status: { in: ['pending', 'running'] as const } };
  const [job] = await session.find(jobs, { where: { repository_id: repositoryId, kind, ...open }, limit: 1 });
  return job ?? null;
}
