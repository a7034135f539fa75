import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  id,
  idText,
  integerText,
  message,
  outdated,
  type RouteMetadata,
  retryable,
  timestamp,
} from './common.js';
import * as field from './schemas/fields.js';
import {
  adoptAnswer,
  adoptInput,
  previewAnswer,
  previewInput,
  releaseAnswer,
  releaseInput,
  resumeAnswer,
  resumeInput,
} from './schemas/retention.js';
import {
  newSchedule,
  pauseUntil,
  scheduleChanges,
  scheduleRun,
  scheduleView,
  scheduleWritten,
  upcomingJob,
} from './schemas/schedule.js';
import { errorCode } from './schemas/sentence.js';

const c = initContract();
const tag = 'Schedules';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const onlyLooks = { access: { who: 'any', readOnlyTokens: true }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const confirmed = { access: { who: 'admin', confirm: 'always' }, tag } satisfies RouteMetadata;
const sometimesConfirmed = { access: { who: 'admin', confirm: 'sometimes' }, tag } satisfies RouteMetadata;
const scripts = ['pre_backup_script_id', 'post_backup_script_id'];
const itsId = z.object({ job_id: idText.openapi({ description: 'Id of the schedule.' }) });
const success = z.literal(true);
const pauseAnswer = z.object({ success, pause_until: timestamp.nullable().openapi({ example: null }) });
const cronField = z.string().max(200, 'must have at most 200 characters').default('*');

export const schedulesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/schedule/',
    summary: 'List the schedules',
    description: 'All schedules, with their last and next runs.',
    responses: { 200: z.object({ success, jobs: z.array(scheduleView) }), ...failures },
    metadata: anyUser,
  },
  create: {
    method: 'POST',
    path: '/api/schedule/',
    summary: 'Create a schedule',
    description:
      'It is active immediately unless `enabled` is false. A browser session must confirm the password first with scripts.',
    body: newSchedule.passthrough().openapi({
      example: {
        name: 'Nightly',
        cron_expression: '0 2 * * *',
        timezone: 'Europe/Berlin',
        repository_ids: [1],
        run_prune_after: true,
      },
    }),
    responses: { 201: scheduleWritten, ...failures },
    headers: retryable,
    metadata: {
      access: { who: 'admin', confirm: 'sometimes', confirmFor: scripts },
      tag,
      creates: 'resource',
    } satisfies RouteMetadata,
  },
  cronPresets: {
    method: 'GET',
    path: '/api/schedule/cron-presets',
    summary: 'List common cron expressions',
    description: 'For forms. Each has a name and a description.',
    responses: {
      200: z.object({
        success,
        presets: z.array(
          z.object({
            name: z.string().openapi({ example: 'Daily' }),
            expression: field.cronExpression,
            description: z.string().openapi({ example: 'Every day at 02:00.' }),
          }),
        ),
      }),
      ...failures,
    },
    metadata: anyUser,
  },
  validateCron: {
    method: 'POST',
    path: '/api/schedule/validate-cron',
    summary: 'Validate and explain a cron expression',
    description: '`success` is false if the expression is invalid; `error` then says why.',
    body: z
      .object({
        minute: cronField,
        hour: cronField,
        day_of_month: cronField,
        month: cronField,
        day_of_week: cronField,
        cron_expression: z
          .string()
          .max(200, 'must have at most 200 characters')
          .optional()
          .openapi({ description: 'All five fields in one; the others are then ignored.' }),
        timezone: z.string().max(100, 'must have at most 100 characters').default('UTC'),
      })
      .openapi({ example: { minute: '0', hour: '2', day_of_week: '1-5', timezone: 'Europe/Berlin' } }),
    responses: {
      200: z.discriminatedUnion('success', [
        z.object({
          success,
          cron_expression: field.cronExpression,
          next_runs: z.array(timestamp),
          description: z.string().openapi({ example: 'At 02:00, Monday through Friday.' }),
        }),
        z.object({ success: z.literal(false), error: z.string(), ...errorCode, cron_expression: z.string() }),
      ]),
      ...failures,
    },
    metadata: { ...onlyLooks, creates: 'nothing' } satisfies RouteMetadata,
  },
  preview: {
    method: 'POST',
    path: '/api/schedule/preview',
    summary: 'Preview a schedule: its next runs, and which archives its retention keeps and removes now',
    description:
      'Nothing is changed or started: the rules are applied to the last archive list (`as_of`). Each ' +
      'archive has the rule that keeps it, or `removed`, as a prune would decide now.',
    body: previewInput.passthrough().openapi({
      example: {
        cron_expression: '0 2 * * *',
        timezone: 'Europe/Berlin',
        prune_keep_daily: 7,
        repository_id: 1,
      },
    }),
    responses: { 200: previewAnswer, ...failures },
    metadata: {
      cost: 'high',
      costly: { parameter: 'lost', right: 'restore' },
      ...onlyLooks,
      creates: 'nothing',
    } satisfies RouteMetadata,
  },
  upcomingJobs: {
    method: 'GET',
    path: '/api/schedule/upcoming-jobs',
    summary: 'List the scheduled runs of the next hours, soonest first',
    description: 'Every run of every enabled schedule, at most 1000. Runs in a pause are left out.',
    query: z.object({
      hours: integerText({ min: 1, max: 8760, fallback: 24 }).openapi({
        description: 'Number of hours ahead.',
      }),
    }),
    responses: {
      200: z.object({
        success,
        upcoming_jobs: z.array(upcomingJob),
        hours_ahead: z.number().int().openapi({ example: 24 }),
      }),
      ...failures,
    },
    metadata: anyUser,
  },
  getPause: {
    method: 'GET',
    path: '/api/schedule/pause',
    summary: 'Show until when all schedules are paused',
    description: 'Null when they are not. A single schedule can have its own `pause_until`.',
    responses: { 200: pauseAnswer, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...anyUser, version: 'schedule_pause' } satisfies RouteMetadata,
  },
  setPause: {
    method: 'PUT',
    path: '/api/schedule/pause',
    summary: 'Pause all schedules until a time, or end that pause',
    description:
      'Runs that fall into the pause are `skipped`, and no later run makes up for them. Running backups continue, and ' +
      'manual ones are possible. It ends automatically. Checks and restore drills are not paused. A browser session ' +
      'must confirm the password first for a longer pause.',
    body: z.object({ pause_until: pauseUntil }).openapi({ example: { pause_until: null } }),
    responses: { 200: pauseAnswer.extend({ message }), ...failures, ...outdated },
    headers: conditional,
    metadata: { ...sometimesConfirmed, version: 'schedule_pause' } satisfies RouteMetadata,
  },
  get: {
    method: 'GET',
    path: '/api/schedule/:job_id',
    summary: 'Show one schedule with its next five runs',
    description: 'The run times are in UTC.',
    pathParams: itsId,
    responses: {
      200: z.object({ success, job: scheduleView.extend({ next_runs: z.array(timestamp) }) }),
      304: c.noBody(),
      ...failures,
    },
    headers: cacheable,
    metadata: { ...anyUser, version: 'schedule' } satisfies RouteMetadata,
  },
  update: {
    method: 'PUT',
    path: '/api/schedule/:job_id',
    summary: 'Change a schedule',
    description:
      'Absent fields are not changed. A browser session must confirm the password first if fewer archives ' +
      'would be kept (a lower count, or `run_prune_after` turned on), to run an enabled schedule at other ' +
      'times or not at all, to pause it longer, to remove a repository, and to change scripts.',
    pathParams: itsId,
    body: scheduleChanges
      .passthrough()
      .openapi({ example: { cron_expression: '30 3 * * *', enabled: false } }),
    responses: { 200: scheduleWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: {
      access: { who: 'admin', confirm: 'sometimes' },
      tag,
      version: 'schedule',
    } satisfies RouteMetadata,
  },
  delete: {
    method: 'DELETE',
    path: '/api/schedule/:job_id',
    summary: 'Remove a schedule and its run history; its jobs and archives are preserved',
    description: 'A running backup continues.',
    pathParams: itsId,
    body: c.noBody(),
    responses: { 200: done, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'schedule' } satisfies RouteMetadata,
  },
  toggle: {
    method: 'POST',
    path: '/api/schedule/:job_id/toggle',
    summary: 'Enable or disable a schedule',
    description:
      'A running backup continues. A browser session must confirm the password first to disable it.',
    pathParams: itsId,
    body: z.unknown().optional(),
    responses: { 200: done.extend({ enabled: field.enabled }), ...failures },
    metadata: { ...sometimesConfirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  runNow: {
    method: 'POST',
    path: '/api/schedule/:job_id/run-now',
    summary: 'Run a schedule once, immediately',
    description: 'Queues one backup job for each repository. `next_run` does not change.',
    pathParams: itsId,
    body: z.unknown().optional(),
    responses: {
      200: z.object({
        success,
        job_id: id,
        job_ids: z.array(id),
        status: z.literal('pending'),
        message,
      }),
      ...failures,
    },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'job' } satisfies RouteMetadata,
  },
  adopt: {
    method: 'POST',
    path: '/api/schedule/:job_id/adopt',
    summary: 'Adopt archives: put them under the retention of a schedule',
    description:
      'For archives from another program, a lost installation or a manual backup. Needs `archives` or ' +
      '`pattern`. The archives themselves do not change. 409 if one belongs to another schedule. A browser ' +
      'session must confirm the password first, except for a `dry_run`.',
    pathParams: itsId,
    body: adoptInput.openapi({ example: { repository_id: 1, pattern: 'nas-*', dry_run: true } }),
    responses: { 200: adoptAnswer, ...failures },
    metadata: {
      access: { who: 'admin', confirm: 'sometimes' },
      tag,
      creates: 'nothing',
    } satisfies RouteMetadata,
  },
  release: {
    method: 'DELETE',
    path: '/api/schedule/:job_id/adopt',
    summary: 'Release adopted archives from the retention of a schedule',
    description:
      'Without `archives` and `pattern`: all that were adopted in this repository. 409 while a prune of ' +
      'the schedule is running.',
    pathParams: itsId,
    body: releaseInput.openapi({ example: { repository_id: 1 } }),
    responses: { 200: releaseAnswer, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...admin, version: 'schedule' } satisfies RouteMetadata,
  },
  resumeRetention: {
    method: 'POST',
    path: '/api/schedule/:job_id/resume-retention',
    summary: 'Resume pruning for a schedule',
    description:
      'Pruning is paused after a backup whose sources were missing or empty, or that lost most of its ' +
      'data. If the last backup has far less data than before, this accepts its size.',
    pathParams: itsId,
    body: resumeInput.optional().openapi({ example: { repository_id: 1 } }),
    responses: { 200: resumeAnswer, ...failures },
    metadata: {
      access: { who: 'admin', confirm: 'always' },
      tag,
      creates: 'nothing',
    } satisfies RouteMetadata,
  },
  duplicate: {
    method: 'POST',
    path: '/api/schedule/:job_id/duplicate',
    summary: 'Copy a schedule; the copy is disabled',
    description: 'The copy has the same settings and a new name. Adjust it before you enable it.',
    pathParams: itsId,
    body: z.unknown().optional(),
    responses: { 201: scheduleWritten, ...failures },
    headers: retryable,
    metadata: { ...admin, creates: 'resource' } satisfies RouteMetadata,
  },
  runs: {
    method: 'GET',
    path: '/api/schedule/:job_id/runs',
    summary: 'Page through the run history of a schedule, newest first',
    description: 'The outcome of each scheduled run, including those that did not take place, and why.',
    pathParams: itsId,
    query: z.object({ limit: field.limitText({ max: 1000, fallback: 50 }), offset: field.offsetText() }),
    responses: {
      200: z.object({ success, runs: z.array(scheduleRun), total: z.number().int() }),
      ...failures,
    },
    metadata: anyUser,
  },
});
