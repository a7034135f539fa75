import type { StorageSession } from '@holdfast/plugin-api';
import { cronOutdated, cronRule, planSlots, type SlotPlan } from '../calendar/index.js';
import type { NewEvent } from '../events/index.js';
import type { EventRow } from '../events/tables.js';
import { inTransaction, lastErrorColumns, say } from '../kernel/index.js';
import { type RepositoryRow, repositories } from '../repositories/tables.js';
import { setDrillTimer } from './drill-schedules.js';
import type { DrillsNeeds } from './needs.js';
import { openDrill, parametersOf } from './start-drill.js';
import { type DrillScheduleRow, drillSchedules } from './tables.js';

export type FireDrillNeeds = Pick<DrillsNeeds, 'storage' | 'jobs' | 'events' | 'clock' | 'timers' | 'log'>;

interface Fired {
  jobId: number | null;
  events: EventRow[];
}

/**
 * Queues a drill that is due. The instance that advances `next_run` does it, in one transaction; all others
 * do nothing. Drills missed while the service was down are combined into one.
 */
export const fireDrill =
  (needs: FireDrillNeeds) =>
  async (seen: DrillScheduleRow): Promise<void> => {
    const { next_run: planned, cron_expression, timezone } = seen;
    const now = needs.clock.now();
    if (planned === null || planned > now) return;
    const rule = cron_expression === null ? null : cronRule({ cron_expression, timezone });
    const plan = rule && planSlots(rule, { planned, now, catchUp: 'one' });
    const fired = await inTransaction(needs.storage, (session) => fire(needs, session, { seen, plan }));
    if (!fired) return;
    needs.events.announce(fired.events);
    if (fired.jobId !== null) needs.jobs.wake(fired.jobId);
    setDrillTimer(needs, { ...seen, next_run: plan?.next ?? null });
  };

async function fire(
  needs: FireDrillNeeds,
  session: StorageSession,
  { seen, plan }: { seen: DrillScheduleRow; plan: SlotPlan | null },
): Promise<Fired | null> {
  const { id, cron_expression, timezone, next_run, repository_id } = seen;
  const where = { id, cron_expression, timezone, enabled: true, next_run };
  if ((await session.update(drillSchedules, where, { next_run: plan?.next ?? null })) === 0) return null;
  const [row] = await session.find(drillSchedules, { where: { id }, limit: 1 });
  const [repository] = await session.find(repositories, { where: { id: repository_id }, limit: 1 });
  if (!row || !repository) return null;
  if (!plan) {
    const error = cronOutdated({ cron_expression: `${cron_expression}`, timezone });
    await session.update(drillSchedules, { id }, lastErrorColumns(error));
    return {
      jobId: null,
      events: [await needs.events.record(session, failureEvent(repository, error.text))],
    };
  }
  const plannedAt = plan.run;
  if (plannedAt === null || plannedAt <= (row.last_planned ?? 0)) return { jobId: null, events: [] };
  return { jobId: await queue(needs, session, { row, repository, plannedAt }), events: [] };
}

/** Only one drill per repository at a time. A scheduled one that meets another is skipped and recorded. */
async function queue(
  { jobs }: FireDrillNeeds,
  session: StorageSession,
  { row, repository, plannedAt }: { row: DrillScheduleRow; repository: RepositoryRow; plannedAt: number },
): Promise<number | null> {
  const other = await openDrill(session, repository.id);
  if (other) {
    const at = new Date(plannedAt).toISOString();
    const { id: job_id, status } = other;
    const skipped = say(
      'drill_skipped',
    )`The drill of ${{ at }} was skipped: drill job ${{ job_id }} was still ${{ status }}.`;
    const patch = { last_planned: plannedAt, ...lastErrorColumns(skipped) };
    await session.update(drillSchedules, { id: row.id }, patch);
    return null;
  }
  const parameters = parametersOf(row, plannedAt);
  const job = await jobs.insert(
    { kind: 'drill', repository, parameters, requestedBy: 'drill schedule' },
    session,
  );
  const patch = { last_run: job.requested_at, last_planned: plannedAt, ...lastErrorColumns(null) };
  await session.update(drillSchedules, { id: row.id }, patch);
  return job.id;
}

const failureEvent = ({ id, name, path }: RepositoryRow, error: string): NewEvent => ({
  kind: 'schedule_failure',
  repositoryId: id,
  jobId: null,
  data: {
    schedule_id: null,
    schedule_name: `Drills of ${name}`,
    error_message: error,
    repository_name: name,
    repository_path: path,
  },
});
