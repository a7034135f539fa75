import { serviceZone } from '@holdfast/contracts';
import { isStoreError, type StorageSession, StoreError } from '@holdfast/plugin-api';
import {
  type Caller,
  inTransaction,
  lastErrorColumns,
  requireConfirmation,
  shownParams,
} from '../../../foundation/kernel/index.js';
import { findRepository } from '../../repositories/index.js';
import { parseCron, tidyCron } from './cron.rules.js';
import type { SlotNeeds } from './plan-kind.js';
import type { RepositoryPlans } from './repository-runs.js';
import type { RepositoryPlanRow, RepositoryPlanTable } from './tables.js';

export type PlanSettings<Row extends RepositoryPlanRow = RepositoryPlanRow> = Omit<
  Row,
  'id' | 'repository_id'
>;

/** Of a repository for which nothing is planned. */
export const noPlan: PlanSettings = {
  cron_expression: null,
  timezone: serviceZone(),
  enabled: false,
  last_run: null,
  last_planned: null,
  next_run: null,
  ...lastErrorColumns(null),
};

type Changes<S> = { [K in keyof S]?: S[K] | undefined };

/**
 * A plan with the given fields, and its next run from now on if its times change. Throws AppError `invalid` for a bad
 * cron expression or time zone.
 */
export function changedPlan<S extends PlanSettings>(before: S, changes: Changes<S>, now: number): S {
  const { cron_expression: given, ...others } = changes;
  const defined = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const cron = given === undefined ? before.cron_expression : tidyCron(given ?? '') || null;
  const { id: _, repository_id: __, ...settings } = before as S & Partial<RepositoryPlanRow>;
  const after = { ...settings, ...defined, cron_expression: cron, enabled: cron !== null } as unknown as S;
  const rule = parseCron(cron ?? '0 0 * * *', after.timezone);
  if (cron === null) return { ...after, next_run: null, ...lastErrorColumns(null) };
  const same = cron === before.cron_expression && after.timezone === before.timezone;
  return same && before.next_run !== null
    ? after
    : { ...after, next_run: rule.next(now), ...lastErrorColumns(null) };
}

/** Throws AppError `forbidden` for a browser session that must confirm other times of an enabled plan. */
function confirmPlanChange<S extends PlanSettings>(
  caller: Caller,
  { before, after, now }: { before: S | null; after: S; now: number },
): void {
  const timesOf = ({ cron_expression, timezone }: S) => `${cron_expression} ${timezone}`;
  if (before?.enabled && timesOf(before) !== timesOf(after)) requireConfirmation(caller, now);
}

/**
 * Changes the plan of a repository and tells it. `change`: from the row that is there to the new settings. Throws AppError
 * `not_found`, `forbidden` for a browser session that must confirm, and as `change`.
 */
export async function putPlan<Row extends RepositoryPlanRow>(
  needs: Omit<SlotNeeds, 'jobs'>,
  { table, timers }: RepositoryPlans<Row>,
  {
    repositoryId,
    caller,
    change,
  }: {
    repositoryId: number;
    caller: Caller | undefined;
    change(before: Row | null, now: number): PlanSettings<Row>;
  },
): Promise<{ row: Row; name: string }> {
  const now = needs.clock.now();
  const stored = await inTransaction(needs.storage, async (session) => {
    const { name } = await findRepository(session, { repository_id: repositoryId });
    const before = await findPlan<Row>(session, table, repositoryId);
    const after = change(before, now);
    if (caller) confirmPlanChange(caller, { before, after, now });
    const row = await writePlan(session, table, { before, after, repositoryId });
    const data = { [table.name]: true, change: before ? 'updated' : 'created', enabled: row.enabled };
    await needs.events.record(session, { kind: 'schedule_changed', repositoryId, jobId: null, data });
    return { row, name };
  });
  needs.events.nudge();
  timers.set(needs, stored.row);
  return stored;
}

/** The settings of a plan that was removed, with its next run from now on. */
export const plannedAgain = <S extends PlanSettings>(before: S, now: number): S =>
  changedPlan({ ...before, next_run: null }, {}, now);

/** `Row`: that of the table. */
export async function findPlan<Row extends RepositoryPlanRow>(
  session: Pick<StorageSession, 'find'>,
  table: RepositoryPlanTable,
  repositoryId: number,
): Promise<Row | null> {
  const [row] = await session.find(table, { where: { repository_id: repositoryId }, limit: 1 });
  return (row as Row | undefined) ?? null;
}

/** Stores a plan. `before`: the row that is there. */
async function writePlan<Row extends RepositoryPlanRow>(
  session: StorageSession,
  table: RepositoryPlanTable,
  { before, after, repositoryId }: { before: Row | null; after: PlanSettings<Row>; repositoryId: number },
): Promise<Row> {
  if (before) {
    await session.update(table, { id: before.id }, after);
    return { ...before, ...after };
  }
  try {
    return (await session.insert(table, { ...after, repository_id: repositoryId })) as Row;
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw new StoreError('conflict', `Another request created the ${table.name}.`, { cause: error });
  }
}

/** The error of a plan as fields of an answer. */
export const planError = (row: PlanSettings) => ({
  last_error: row.last_error,
  last_error_code: row.last_error_code,
  last_error_params: shownParams(row.last_error_params),
});
