import { type Column, col, type Entity, type RowOf, type Typed } from '@holdfast/plugin-api';
import type { MessageParams } from '../../../foundation/kernel/index.js';
import type { CatchUp } from './schedule.rules.js';

/** Of work that is planned for a repository: when. At most one row per repository; `next_run` says what is due. */
export const planColumns = {
  id: col.id(),
  repository_id: col.integer.required(),
  /** Null: switched off. */
  cron_expression: col.text().nullable(),
  /** IANA name. */
  timezone: col.text().required(),
  /** Whether there is a cron expression. */
  enabled: col.boolean.required(),
};

/** And what became of it. */
export const planRunColumns = {
  last_run: col.timestamp.nullable(),
  /** The planned instant of the last run. No instant runs twice, even when the clock goes back. */
  last_planned: col.timestamp.nullable(),
  next_run: col.timestamp.nullable(),
  /** Why the last planned run did not start, for display. */
  last_error: col.text().nullable(),
  last_error_code: col.text().nullable(),
  last_error_params: col.json<MessageParams>().nullable(),
};

export type RepositoryPlanTable = Entity<typeof planColumns & typeof planRunColumns>;
export type RepositoryPlanRow = RowOf<RepositoryPlanTable>;

/** Of plans of one kind, as far as they are alike. */
export type PlanTable = Entity<
  {
    id: Column<number>;
    cron_expression: Typed<string, true, true> | Typed<string, false, false>;
    timezone: Column<string>;
    enabled: Column<boolean>;
  } & typeof planRunColumns
>;
/** Without `catch_up`, one run stands for all that were missed. */
export type PlanRow = RowOf<PlanTable> & { catch_up?: CatchUp; pause_until?: number | null };
