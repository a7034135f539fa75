import type { StorageSession } from '@holdfast/plugin-api';
import { type JobKind, type JobRow, jobs, type NewJob } from '../../../engine/jobs/index.js';
import { clockToleranceMs, lastErrorColumns, type Message } from '../../../foundation/kernel/index.js';
import { repositories } from '../../repositories/tables.js';
import type { PlanKind } from './plan-kind.js';
import { scheduleFailure } from './schedule-failure.js';
import { slotTimers } from './slot-timers.js';
import type { RepositoryPlanRow, RepositoryPlanTable } from './tables.js';

/** One kind of work that is planned for repositories, of which each has one plan. */
interface PlannedWork<Row extends RepositoryPlanRow> {
  table: RepositoryPlanTable;
  kind: JobKind & ('check' | 'drill');
  /** For people: what failed when its plan could not be run. */
  titleOf(repository: string): string;
  parametersOf(plan: Row, plannedAt: number): NewJob['parameters'];
  /** Why a run was left out that met an earlier one. */
  skipped(at: string, other: Pick<JobRow, 'id' | 'status'>): Message;
}

export interface RepositoryPlans<Row extends RepositoryPlanRow> extends PlanKind<Row> {
  table: RepositoryPlanTable;
}

/** Only one job of the kind per repository at a time. A planned one that meets another is skipped and recorded. */
export function repositoryPlans<Row extends RepositoryPlanRow>({
  table,
  kind,
  titleOf,
  parametersOf,
  skipped,
}: PlannedWork<Row>): RepositoryPlans<Row> {
  const requestedBy = `${kind} schedule` as const;
  const repositoryOf = async (session: StorageSession, { repository_id: id }: Row) =>
    (await session.find(repositories, { where: { id }, limit: 1 }))[0];
  return {
    table,
    timers: slotTimers(`${kind}:`, { kind: requestedBy, table, namesOf: repositoryNames }),
    again: { last_planned: null },
    async run({ jobs: queue, clock }, session, { row, plan: { run: plannedAt } }) {
      if (plannedAt === null || hadRun(row, plannedAt, clock.now())) return null;
      const repository = await repositoryOf(session, row);
      if (!repository) return null;
      const write = (patch: Partial<RepositoryPlanRow>) =>
        session.update(table, { id: row.id }, { ...patch, last_planned: plannedAt });
      const other = await unfinishedJob(session, repository.id, kind);
      if (other) {
        await write(lastErrorColumns(skipped(new Date(plannedAt).toISOString(), other)));
        return null;
      }
      const parameters = parametersOf(row, plannedAt);
      const job = await queue.insert({ kind, repository, parameters, requestedBy }, session);
      await write({ last_run: job.requested_at, ...lastErrorColumns(null) });
      return { jobIds: [job.id], events: [] };
    },
    async refuse({ events }, session, { row, problem }) {
      await session.update(table, { id: row.id }, lastErrorColumns(problem));
      const repository = await repositoryOf(session, row);
      if (!repository) return [];
      const failed = { id: null, name: titleOf(repository.name) };
      return [await events.record(session, scheduleFailure(failed, { error: problem.text }, [repository]))];
    },
  };
}

const repositoryNames = async (
  session: Pick<StorageSession, 'find'>,
  rows: readonly RepositoryPlanRow[],
): Promise<Map<number, string>> => {
  const ids = rows.map(({ repository_id }) => repository_id);
  const found = await session.find(repositories, { where: { id: { in: ids } } });
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return new Map(rows.map((row) => [row.id, names.get(row.repository_id) ?? '']));
};

/** A run that is planned in the future was planned by a clock that was ahead, and counts for nothing. */
const hadRun = ({ last_planned: last }: RepositoryPlanRow, plannedAt: number, now: number) =>
  last !== null && plannedAt <= last && last <= now + clockToleranceMs;

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
