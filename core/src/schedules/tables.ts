import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { CatchUp } from '../calendar/schedule.rules.js';
import type { SlotOutcome, SlotTrigger } from '../calendar/slot.rules.js';
import type { ParameterValues } from '../kernel/sealed-values.rules.js';

/** When to back up which repositories. `next_run` is the truth about what is due. */
export const schedules = entity(
  'schedule',
  {
    id: col.id(),
    /** Random, never given again; null for schedules of before there was one. */
    uid: col.text().nullable(),
    name: col.text().required(),
    cron_expression: col.text().required(),
    /** IANA name. */
    timezone: col.text().required(),
    catch_up: col.text<CatchUp>().required(),
    enabled: col.boolean.default(true),
    description: col.text().nullable(),
    archive_name_template: col.text().nullable(),
    run_repository_scripts: col.boolean.default(false),
    pre_backup_script_id: col.integer.nullable(),
    post_backup_script_id: col.integer.nullable(),
    pre_backup_script_parameters: sealed('inside', col.json<ParameterValues>().nullable()),
    post_backup_script_parameters: sealed('inside', col.json<ParameterValues>().nullable()),
    run_prune_after: col.boolean.default(false),
    run_compact_after: col.boolean.default(false),
    prune_keep_hourly: col.integer.default(0),
    prune_keep_daily: col.integer.default(7),
    prune_keep_weekly: col.integer.default(4),
    prune_keep_monthly: col.integer.default(6),
    prune_keep_quarterly: col.integer.default(0),
    prune_keep_yearly: col.integer.default(1),
    last_run: col.timestamp.nullable(),
    /** The planned instant of the next slot, also while disabled; null when it can't be told. */
    next_run: col.timestamp.nullable(),
    last_prune: col.timestamp.nullable(),
    last_compact: col.timestamp.nullable(),
    /** The last planned instant that came, and how late the last run began. */
    last_planned: col.timestamp.nullable(),
    last_late_ms: col.integer.nullable(),
    /** Why it could not run, or what failed in its last run: for people. */
    last_error: col.text().nullable(),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['name']], indexes: [['enabled', 'next_run']] },
);

/** The repositories of a schedule in the order of its runs, `position` from 0 on. */
export const scheduleRepositories = entity(
  'schedule_repository',
  {
    id: col.id(),
    schedule_id: col.integer.required(),
    repository_id: col.integer.required(),
    position: col.integer.required(),
  },
  { unique: [['schedule_id', 'repository_id']], indexes: [['repository_id']] },
);

/** The ledger: one row a planned instant of a schedule, whether it ran or why it did not. */
export const slots = entity(
  'slot',
  {
    id: col.id(),
    schedule_id: col.integer.required(),
    planned_at: col.timestamp.required(),
    trigger: col.text<SlotTrigger>().required(),
    outcome: col.text<SlotOutcome>().required(),
    reason: col.text().nullable(),
    started_at: col.timestamp.nullable(),
    completed_at: col.timestamp.nullable(),
    late_ms: col.integer.nullable(),
    job_ids: col.json<number[]>().required(),
    /** How many planned instants the row stands for: more than 1 only where a long absence is summed up. */
    count: col.integer.default(1),
  },
  { unique: [['schedule_id', 'planned_at']], indexes: [['outcome']] },
);

export type ScheduleRow = RowOf<typeof schedules>;

export type ScheduleRepositoryRow = RowOf<typeof scheduleRepositories>;

export type SlotRow = RowOf<typeof slots>;
