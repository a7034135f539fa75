import type { StorageSession } from '@holdfast/plugin-api';
import { cronOutdated, cronRule, planSlots, type SlotPlan } from '../calendar/index.js';
import type { NewEvent } from '../events/index.js';
import type { EventRow } from '../events/tables.js';
import { jobs } from '../jobs/tables.js';
import { inTransaction, lastErrorColumns, say } from '../kernel/index.js';
import { type RepositoryRow, repositories } from '../repositories/tables.js';
import { setCheckTimer } from './check-schedules.js';
import type { CheckParameters } from './maintenance-job.rules.js';
import type { MaintenanceNeeds } from './needs.js';
import { type CheckScheduleRow, checkSchedules } from './tables.js';

export type FireCheckNeeds = Pick<
  MaintenanceNeeds,
  'storage' | 'jobs' | 'events' | 'clock' | 'timers' | 'log'
>;

interface Fired {
  jobId: number | null;
  events: EventRow[];
}

/**
 * Queues a check that is due. The instance that advances `next_run` does it, in one transaction; all others
 * do nothing. Checks missed while the service was down are combined into one.
 */
export const fireCheck =
  (needs: FireCheckNeeds) =>
  async (seen: CheckScheduleRow): Promise<void> => {
    const { next_run: planned, cron_expression, timezone } = seen;
    const now = needs.clock.now();
    if (planned === null || planned > now) return;
    const rule = cron_expression === null ? null : cronRule({ cron_expression, timezone });
    const plan = rule && planSlots(rule, { planned, now, catchUp: 'one' });
    const fired = await inTransaction(needs.storage, (session) => fire(needs, session, { seen, plan }));
    if (!fired) return;
    needs.events.announce(fired.events);
    if (fired.jobId !== null) needs.jobs.wake(fired.jobId);
    setCheckTimer(needs, { ...seen, next_run: plan?.next ?? null });
  };

async function fire(
  needs: FireCheckNeeds,
  session: StorageSession,
  { seen, plan }: { seen: CheckScheduleRow; plan: SlotPlan | null },
): Promise<Fired | null> {
  const { id, cron_expression, timezone, next_run, repository_id } = seen;
  const where = { id, cron_expression, timezone, enabled: true, next_run };
  if ((await session.update(checkSchedules, where, { next_run: plan?.next ?? null })) === 0) return null;
  const [row] = await session.find(checkSchedules, { where: { id }, limit: 1 });
  const [repository] = await session.find(repositories, { where: { id: repository_id }, limit: 1 });
  if (!row || !repository) return null;
  if (!plan) {
    const error = cronOutdated({ cron_expression: `${cron_expression}`, timezone });
    await session.update(checkSchedules, { id }, lastErrorColumns(error));
    const failure = failureEvent(repository, error.text);
    return { jobId: null, events: [await needs.events.record(session, failure)] };
  }
  const plannedAt = plan.run;
  if (plannedAt === null || plannedAt <= (row.last_planned ?? 0)) return { jobId: null, events: [] };
  return { jobId: await queue(needs, session, { row, repository, plannedAt }), events: [] };
}

/**
 * Only one check per repository at a time. A scheduled check that meets another one is skipped and recorded.
 */
async function queue(
  { jobs: jobQueue }: FireCheckNeeds,
  session: StorageSession,
  { row, repository, plannedAt }: { row: CheckScheduleRow; repository: RepositoryRow; plannedAt: number },
): Promise<number | null> {
  const open = { repository_id: repository.id, kind: 'check' as const };
  const where = { ...open, status: { in: ['pending', 'running'] as const } };
  const [other] = await session.find(jobs, { where, limit: 1 });
  if (other) {
    const at = new Date(plannedAt).toISOString();
    const { id: job_id, status } = other;
    const skipped = say(
      'check_skipped',
    )`The check of ${{ at }} was skipped: check job ${{ job_id }} was still ${{ status }}.`;
    const patch = { last_planned: plannedAt, ...lastErrorColumns(skipped) };
    await session.update(checkSchedules, { id: row.id }, patch);
    return null;
  }
  const parameters: CheckParameters = {
    ...{ maxSeconds: row.max_duration, verifyData: row.verify_data, repair: false },
    plannedAt,
  };
  const job = await jobQueue.insert(
    { kind: 'check', repository, parameters, requestedBy: 'check schedule' },
    session,
  );
  const patch = { last_run: job.requested_at, last_planned: plannedAt, ...lastErrorColumns(null) };
  await session.update(checkSchedules, { id: row.id }, patch);
  return job.id;
}

const failureEvent = ({ id, name, path }: RepositoryRow, error: string): NewEvent => ({
  kind: 'schedule_failure',
  repositoryId: id,
  jobId: null,
  data: {
    schedule_id: null,
    schedule_name: `Checks of ${name}`,
    error_message: error,
    repository_name: name,
    repository_path: path,
  },
});
