import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { MessageParams, ParameterValues } from '../../foundation/kernel/index.js';
import type { CatchUp, RunConditions, RunRetry } from './calendar/schedule.rules.js';
import type { SlotOutcome, SlotTrigger } from './calendar/slot.rules.js';

/** When to back up which repositories. `next_run` is authoritative for what is due. */
export const schedules = entity(
  'schedule',
  {
    id: col.id(),
    /** Random and never reused; null for schedules from earlier releases. */
    uid: col.text().nullable(),
    name: col.text().required(),
    /** Empty: it runs only manually. */
    cron_expression: col.text().required(),
    /** IANA name. */
    timezone: col.text().required(),
    catch_up: col.text<CatchUp>().required(),
    enabled: col.boolean.default(true),
    /** No instant before it runs; may have passed. */
    pause_until: col.timestamp.nullable(),
    when: col.json<RunConditions>().nullable(),
    retry: col.json<RunRetry>().nullable(),
    description: col.text().nullable(),
    tags: col.json<string[]>().default([]),
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
    /** An interval such as `2d`; null: no rule. */
    prune_keep_within: col.text().nullable(),
    last_run: col.timestamp.nullable(),
    /** The planned instant of the next slot, even while disabled; null when unknown. */
    next_run: col.timestamp.nullable(),
    last_prune: col.timestamp.nullable(),
    last_compact: col.timestamp.nullable(),
    /** The last planned instant that passed, and how late the last run started. */
    last_planned: col.timestamp.nullable(),
    last_late_ms: col.integer.nullable(),
    /** Why it could not run, or what failed in its last run, for display. */
    last_error: col.text().nullable(),
    last_error_code: col.text().nullable(),
    last_error_params: col.json<MessageParams>().nullable(),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['name']], indexes: [['enabled', 'next_run']] },
);

/** The repositories of a schedule in backup order; `position` starts at 0. */
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

/** The ledger: one row per planned instant of a schedule, with its result or why it did not run. */
export const slots = entity(
  'slot',
  {
    id: col.id(),
    schedule_id: col.integer.required(),
    planned_at: col.timestamp.required(),
    trigger: col.text<SlotTrigger>().required(),
    outcome: col.text<SlotOutcome>().required(),
    reason: col.text().nullable(),
    reason_code: col.text().nullable(),
    reason_params: col.json<MessageParams>().nullable(),
    started_at: col.timestamp.nullable(),
    completed_at: col.timestamp.nullable(),
    late_ms: col.integer.nullable(),
    job_ids: col.json<number[]>().required(),
    /** While it waits to try again: not before. */
    start_after: col.timestamp.nullable(),
    /** Number of planned instants in this row: above 1 only for the summary of a long outage. */
    count: col.integer.default(1),
  },
  {
    unique: [['schedule_id', 'planned_at']],
    indexes: [
      ['outcome'],
      // What did not run, by day; and the summaries of outages.
      ['outcome', 'planned_at'],
      ['count', 'planned_at'],
    ],
  },
);

export type ScheduleRow = RowOf<typeof schedules>;

export type ScheduleRepositoryRow = RowOf<typeof scheduleRepositories>;

export type SlotRow = RowOf<typeof slots>;
