import { col, entity, type RowOf } from '@holdfast/plugin-api';
import type { MessageParams } from '../../foundation/kernel/index.js';
import { planColumns, planRunColumns } from '../schedules/calendar/tables.js';
import type { Coverage } from './coverage.rules.js';
import type { DrillVerdict, PathResult } from './drill.rules.js';

/**
 * Schedule and sample settings of drills, at most one row per repository. `next_run` decides when a drill is
 * due.
 */
export const drillSchedules = entity(
  'drill_schedule',
  {
    ...planColumns,
    sample_files: col.integer.required(),
    sample_bytes: col.integer.required(),
    /** Paths of the archive that every drill restores. */
    fixed_paths: col.json<string[]>().required(),
    ...planRunColumns,
  },
  { unique: [['repository_id']], indexes: [['enabled', 'next_run']] },
);

export type DrillScheduleRow = RowOf<typeof drillSchedules>;

/** The evidence of a drill that has ended. Written in the transaction that ends its job. */
export const drills = entity(
  'drill',
  {
    id: col.id(),
    job_id: col.integer.required(),
    /** Null if the repository was no longer registered. */
    repository_id: col.integer.nullable(),
    repository_name: col.text().required(),
    status: col.text().required(),
    verdict: col.text<DrillVerdict>().required(),
    requested_by: col.text().required(),
    planned_at: col.timestamp.nullable(),
    started_at: col.timestamp.required(),
    ended_at: col.timestamp.required(),
    archive_name: col.text().nullable(),
    archive_tool_id: col.text().nullable(),
    archive_start: col.timestamp.nullable(),
    archive_files: col.integer.default(0),
    archive_bytes: col.integer.default(0),
    restored_files: col.integer.default(0),
    restored_bytes: col.integer.default(0),
    failed_files: col.integer.default(0),
    not_examined_files: col.integer.default(0),
    compared_with_source: col.integer.default(0),
    source_changed: col.integer.default(0),
    coverage_percent: col.number.nullable(),
    error_message: col.text().nullable(),
    error_code: col.text().nullable(),
    error_params: col.json<MessageParams>().nullable(),
  },
  { unique: [['job_id']], indexes: [['repository_id', 'id'], ['ended_at']] },
);

export type DrillRow = RowOf<typeof drills>;

/** The verdict on each path of a drill, in chunks that start at `position` (0-based); failures first. */
export const drillResults = entity(
  'drill_result',
  {
    id: col.id(),
    job_id: col.integer.required(),
    position: col.integer.required(),
    at: col.timestamp.required(),
    entries: col.json<PathResult[]>().required(),
  },
  { unique: [['job_id', 'position']], indexes: [['at']] },
);

/** The drill results of a repository so far. */
export const drillStandings = entity(
  'drill_standing',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    /** The last drill that passed. */
    passed_at: col.timestamp.nullable(),
    passed_drill_id: col.integer.nullable(),
    passed_files: col.integer.nullable(),
    /** The failure that no later drill has ended; null without one. */
    failed_at: col.timestamp.nullable(),
    failed_job_id: col.integer.nullable(),
    /** Files were not as they were saved, as opposed to a drill that could not be made. */
    failed_files: col.boolean.default(false),
    failure: col.text().nullable(),
    coverage: col.json<Coverage>().nullable(),
  },
  { unique: [['repository_id']] },
);

export type DrillStandingRow = RowOf<typeof drillStandings>;
