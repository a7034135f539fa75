import { z } from 'zod';
import { id, message, nameText, timestamp } from '../common.js';
import * as field from './fields.js';
import { repositoryReference } from './job.js';
import { keepCount, keepRules, keepWithin } from './retention-fields.js';
import { clockTime, cron, newTimezone, timezone } from './schedule-fields.js';
import { lastErrorCode, reasonCode } from './sentence.js';

const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);
const name = nameText.refine(wellFormed, 'must be well-formed Unicode');
const catchUp = z.enum(['one', 'none']).openapi({
  description:
    'What to do about runs that were missed while Holdfast was down: one run for all of them, or none.',
});
const description = z
  .string()
  .max(2000, 'must have at most 2000 characters')
  .refine(wellFormed, 'must be well-formed Unicode');
const template = z
  .string()
  .max(200, 'must have at most 200 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
  .refine(wellFormed, 'must be well-formed Unicode')
  .openapi({ example: '{job_name}-{repo_name}-{now}' });

/** The first one that is set wins: `repository_ids`, `repository_id`, `repository`. */
const selectors = {
  repository_ids: z.array(id).max(1000, 'must have at most 1000 entries').nullable().optional().openapi({
    description: 'Repositories to back up, in this order. Duplicates are ignored.',
  }),
  repository_id: id.nullable().optional(),
  repository: repositoryReference.nullable().optional().openapi({ description: 'Path of one repository.' }),
};
/** The end of a pause, in the future. */
export const pauseUntil = z.string().datetime({ offset: true }).nullable().openapi({
  example: null,
  description: 'No automatic run before this time, which is at most a year ahead. Null: not paused.',
});

const mount = z
  .string()
  .max(4096, 'must have at most 4096 characters')
  .regex(
    /^(\/[^\0]*|UUID=[0-9A-Za-z-]+)$/,
    'must be an absolute path, or UUID= with the UUID of a file system',
  );

/** Absent conditions always hold. */
export const runConditions = z
  .object({
    place_present: z
      .boolean()
      .optional()
      .openapi({
        description:
          'The disks of its repositories on this machine are connected. A repository is recognised by its id, not ' +
          'by its path.',
      }),
    host_reachable: z.boolean().optional().openapi({
      description: 'The SSH hosts of its repositories and of their sources answer.',
    }),
    not_between: z
      .array(clockTime)
      .length(2, 'must have a start and an end')
      .refine(([from, to]) => from !== to, 'must have different times')
      .nullable()
      .optional()
      .openapi({
        example: ['08:00', '18:00'],
        description: 'No run starts from the first time until the second, in the time zone of the schedule.',
      }),
    mounted: z
      .array(mount)
      .max(20, 'must have at most 20 entries')
      .optional()
      .openapi({
        example: ['/mnt/photos'],
        description: 'Mount points on this machine, or file systems as `UUID=…`, that must be mounted.',
      }),
  })
  .strict();

export const runRetry = z
  .object({
    times: z.number().int().min(1, 'must be at least 1').max(10, 'must be at most 10'),
    after_minutes: z.number().int().min(1, 'must be at least 1').max(1440, 'must be at most 1440'),
  })
  .strict();

const when = runConditions.nullable().openapi({
  description:
    'A scheduled run waits until all of these hold. When the next run is due first, it is skipped. Null: it ' +
    'starts at once.',
});
const retry = runRetry.nullable().openapi({
  description:
    'How often failed backups are tried again, and how long after the failure. Only failures that time can cure ' +
    'count: a connection, a lock, a timeout, or no space. Null: never.',
});
const nullable = {
  pause_until: pauseUntil.optional(),
  when: when.optional(),
  retry: retry.optional(),
  description: description.nullable().optional(),
  archive_name_template: template.nullable().optional(),
  pre_backup_script_id: id.nullable().optional(),
  post_backup_script_id: id.nullable().optional(),
  pre_backup_script_parameters: z.record(z.unknown()).nullable().optional(),
  post_backup_script_parameters: z.record(z.unknown()).nullable().optional(),
};

/** Retention has its defaults in the table, so that the service knows what was given. */
export const newSchedule = z.object({
  name,
  cron_expression: cron.nullable(),
  timezone: newTimezone,
  catch_up: catchUp.default('one'),
  ...selectors,
  ...nullable,
  tags: field.tags.default([]),
  enabled: z.boolean().default(true),
  run_repository_scripts: z.boolean().default(false),
  run_prune_after: z.boolean().optional().openapi({ default: false }),
  run_compact_after: z.boolean().default(false),
  prune_keep_hourly: keepCount.optional().openapi({ default: 0 }),
  prune_keep_daily: keepCount.optional().openapi({ default: 7 }),
  prune_keep_weekly: keepCount.optional().openapi({ default: 4 }),
  prune_keep_monthly: keepCount.optional().openapi({ default: 6 }),
  prune_keep_quarterly: keepCount.optional().openapi({ default: 0 }),
  prune_keep_yearly: keepCount.optional().openapi({ default: 1 }),
  prune_keep_within: keepWithin.nullable().optional(),
});

/** Absent fields are not changed; null clears nullable fields. */
export const scheduleChanges = z.object({
  name: name.optional(),
  cron_expression: cron.nullable().optional(),
  timezone: timezone.optional(),
  catch_up: catchUp.optional(),
  ...selectors,
  ...nullable,
  tags: field.tags.optional(),
  enabled: z.boolean().optional(),
  run_repository_scripts: z.boolean().optional(),
  run_prune_after: z.boolean().optional(),
  run_compact_after: z.boolean().optional(),
  ...keepRules,
});

/** Where the retention of a schedule is paused, and why. */
const retentionPause = z.object({
  repository_id: id,
  repository_name: field.repositoryName,
  reason: z.string().openapi({ example: 'A source was missing: /home.' }),
  ...reasonCode,
  since: timestamp,
  job_id: id.openapi({ description: 'The backup job after which pruning was paused.' }),
});

export const scheduleView = z.object({
  id,
  name: field.scheduleName,
  cron_expression: field.cronExpression.openapi({ description: 'Empty if the schedule runs only manually.' }),
  manual_only: z.boolean().openapi({ description: 'It has no cron expression, so it has no next run.' }),
  timezone: field.zoneName,
  catch_up: catchUp,
  repository: field.repositoryPath
    .nullable()
    .openapi({ description: 'Path of the repository if there is exactly one.' }),
  repository_id: field.repositoryId.openapi({ description: 'Set if there is exactly one.' }),
  repository_ids: z.array(id),
  enabled: field.enabled,
  pause_until: timestamp.nullable().openapi({
    example: null,
    description: 'Until when this schedule is paused. Null: it is not, except by a pause of all schedules.',
  }),
  when,
  retry,
  last_run: timestamp.nullable(),
  next_run: timestamp.nullable().openapi({ description: 'Runs in a pause are left out.' }),
  created_at: timestamp,
  updated_at: timestamp,
  description: z
    .string()
    .nullable()
    .openapi({ example: 'Once a night, after the database was written out.' }),
  archive_name_template: z.string().nullable().openapi({ example: '{job_name}-{repo_name}-{now}' }),
  run_repository_scripts: z.boolean(),
  pre_backup_script_id: id.nullable(),
  post_backup_script_id: id.nullable(),
  pre_backup_script_parameters: z.record(z.unknown()).nullable(),
  post_backup_script_parameters: z.record(z.unknown()).nullable(),
  run_prune_after: z.boolean(),
  run_compact_after: z.boolean(),
  prune_keep_hourly: z.number().int(),
  prune_keep_daily: z.number().int().openapi({ example: 7 }),
  prune_keep_weekly: z.number().int().openapi({ example: 4 }),
  prune_keep_monthly: z.number().int().openapi({ example: 6 }),
  prune_keep_quarterly: z.number().int(),
  prune_keep_yearly: z.number().int(),
  prune_keep_within: z.string().nullable(),
  tags: field.tagsView,
  retention: z.enum(['prunes', 'keeps_everything']).openapi({
    description: '`keeps_everything`: `run_prune_after` is off, so no archive is ever removed.',
  }),
  retention_paused: z.array(retentionPause).openapi({
    description:
      'Repositories in which pruning is paused until `resume-retention` is called, because a source was ' +
      'missing or empty, or most of the data was gone or changed.',
  }),
  last_prune: timestamp.nullable(),
  last_compact: timestamp.nullable(),
  last_error: z.string().nullable().openapi({
    description: 'Why it could not run, or what failed during the last run.',
  }),
  ...lastErrorCode,
});

/**
 * The response to creating or changing a schedule. `warnings` names the fields of the body that have no effect, and
 * repositories whose scripts do not run.
 */
export const scheduleWritten = z.object({
  success: z.literal(true),
  message,
  job: scheduleView,
  warnings: z.array(z.string()).optional(),
});

/** One entry of the run history: a planned time and its outcome. */
export const scheduleRun = z.object({
  planned_at: timestamp,
  trigger: z.enum(['schedule', 'run_now']),
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  late_seconds: z.number().nullable().openapi({ example: 0.4 }),
  outcome: z
    .enum([
      ...(['running', 'completed', 'completed_with_warnings', 'failed', 'cancelled'] as const),
      ...(['missed', 'skipped', 'refused', 'disabled'] as const),
    ])
    .openapi({
      description:
        '`missed`: Holdfast was down. `skipped`: an earlier run was ' +
        'still pending, a script postponed it, its conditions did not hold, or a pause. ' +
        '`refused`: it could not run. `disabled`: the schedule was disabled.',
    }),
  waiting: z.boolean().openapi({
    description: 'It is `running`, but waits for its conditions, or to try again, for the `reason`.',
  }),
  reason: z.string().nullable(),
  ...reasonCode,
  job_ids: z.array(id),
  count: z.number().int().openapi({ description: 'More than 1 if one entry covers several scheduled runs.' }),
});

export const upcomingJob = z.object({
  id,
  name: field.scheduleName,
  repository: field.repositoryName
    .nullable()
    .openapi({ description: 'Name of the repository; several names are joined with `, `.' }),
  repositories: z.array(z.object({ id, name: field.repositoryName })),
  next_run: timestamp,
  cron_expression: field.cronExpression,
});

export type NewSchedule = z.infer<typeof newSchedule>;
export type ScheduleChanges = z.infer<typeof scheduleChanges>;
export type ScheduleView = z.infer<typeof scheduleView>;
export type ScheduleWritten = z.infer<typeof scheduleWritten>;
export type ScheduleRun = z.infer<typeof scheduleRun>;
export type UpcomingJob = z.infer<typeof upcomingJob>;
