import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  linkQuery,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import { checkScheduleChanges, checkScheduleView, checkScheduleWritten } from './schemas/check-schedule.js';
import * as field from './schemas/fields.js';
import { logPage } from './schemas/job.js';
import {
  checkInput,
  checkJobView,
  compactJobView,
  logs,
  pruneAnswer,
  prunedArchive,
  pruneInput,
  pruneJobView,
  repairInput,
  runningJobs,
} from './schemas/maintenance.js';
import { passphraseChange } from './schemas/repository.js';

const c = initContract();
const tag = 'Maintenance';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const confirmed = { access: { who: 'admin', confirm: 'always' }, tag } satisfies RouteMetadata;
const sometimesConfirmed = { access: { who: 'admin', confirm: 'sometimes' }, tag } satisfies RouteMetadata;
const textLink = {
  access: { who: 'any', tokenInQuery: true },
  tag,
  download: { contentType: 'text/plain' },
} satisfies RouteMetadata;
const success = z.literal(true);
const limit = z.object({ limit: field.limitText({ max: 1000, fallback: 10 }) });

type Kind = 'check' | 'compact' | 'prune';

/**
 * The routes for jobs of one kind. `view` is the schema of a job; `single` adds fields when one job is shown.
 */
const jobRoutes = <K extends Kind, View extends z.AnyZodObject, Single extends z.ZodRawShape>(
  kind: K,
  { view, single, who }: { view: View; single: Single; who: 'any' | 'admin' },
) =>
  ({
    job: {
      method: 'GET',
      path: `/api/repositories/${kind}-jobs/:job_id`,
      summary: `Show one ${kind} job with its progress`,
      description: 'Poll until `completed_at` is set; `status` is then the result.',
      pathParams: field.jobPath,
      responses: { 200: view.extend({ success, logs, ...single }), ...failures },
      metadata: anyUser,
    },
    jobs: {
      method: 'GET',
      path: `/api/repositories/:repo_id/${kind}-jobs`,
      summary: `List the ${kind} jobs of a repository, newest first`,
      description: 'The last `limit` jobs.',
      pathParams: field.ofRepository,
      query: limit,
      responses: { 200: z.object({ success, jobs: z.array(view) }), ...failures },
      metadata: anyUser,
    },
    cancel: {
      method: 'POST',
      path: `/api/repositories/${kind}-jobs/:job_id/cancel`,
      summary: `Cancel a pending or running ${kind} job`,
      description: 'Borg is asked to stop; the repository stays intact.',
      pathParams: field.jobPath,
      body: z.unknown().optional(),
      responses: { 200: field.cancelled, ...failures },
      metadata: { ...(who === 'admin' ? admin : anyUser), creates: 'nothing' } satisfies RouteMetadata,
    },
    log: {
      method: 'GET',
      path: `/api/repositories/${kind}-jobs/:job_id/logs`,
      summary: `Read lines of the log of a ${kind} job, from a line number on`,
      description: 'To follow a running job, poll with `offset` set to the number of lines read so far.',
      pathParams: field.jobPath,
      query: z.object({
        offset: field.offsetText(),
        limit: field.limitText({ max: 10_000, fallback: 10_000 }),
      }),
      responses: { 200: logPage, ...failures },
      metadata: anyUser,
    },
    downloadLog: {
      method: 'GET',
      path: `/api/repositories/${kind}-jobs/:job_id/logs/download`,
      summary: `Download the log of a ${kind} job as a text file`,
      description: 'The whole log. The token may be passed in the query.',
      pathParams: field.jobPath,
      query: linkQuery,
      responses: { 200: c.otherResponse({ contentType: 'text/plain', body: z.string() }), ...failures },
      metadata: textLink,
    },
  }) as const;

export const maintenanceContract = c.router({
  check: jobRoutes('check', { view: checkJobView, single: {}, who: 'any' }),
  compact: jobRoutes('compact', { view: compactJobView, single: {}, who: 'admin' }),
  prune: jobRoutes('prune', {
    view: pruneJobView,
    single: { archives: z.array(prunedArchive).nullable() },
    who: 'admin',
  }),
  runningJobs: {
    method: 'GET',
    path: '/api/repositories/:repo_id/running-jobs',
    summary: 'Show the running check, compact and prune jobs of a repository',
    description: 'Null for each kind that is not running.',
    pathParams: field.ofRepository,
    responses: { 200: runningJobs, ...failures },
    metadata: anyUser,
  },
  startCheck: {
    method: 'POST',
    path: '/api/repositories/:repo_id/check',
    summary: 'Check a repository for damage',
    description:
      'Queues a job. If it finds damage, it ends as `failed` and its log lists the problems. Without a body: a ' +
      'full check.',
    pathParams: field.ofRepository,
    body: checkInput.optional(),
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...anyUser, creates: 'job' } satisfies RouteMetadata,
  },
  startRepair: {
    method: 'POST',
    path: '/api/repositories/:repo_id/repair',
    summary: 'Repair a damaged repository',
    description:
      'May lose data: copy the repository first. The job is listed with the check jobs. Check again afterwards. It ' +
      'changes no archive while one is not signed (see `sign-archives`), and deletes none that is not in ' +
      '`delete_archives`.',
    pathParams: field.ofRepository,
    body: repairInput,
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...confirmed, creates: 'job' } satisfies RouteMetadata,
  },
  signArchives: {
    method: 'POST',
    path: '/api/repositories/:repo_id/sign-archives',
    summary: 'Sign archives that Borg before 1.2.5 created or renamed',
    description:
      'For a repository with `unsigned_archives` or the `open_error_kind` `archive_unsigned`. The data of ' +
      'such archives is intact, but Borg 1.2.5 and later refuse them. Signing accepts them as they are: ' +
      'only do it if no one else could write to the repository. They get new ids. The job is listed with ' +
      'the check jobs. If it is interrupted, start it again: it continues where it stopped.',
    pathParams: field.ofRepository,
    body: z.unknown().optional(),
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...confirmed, creates: 'job' } satisfies RouteMetadata,
  },
  changePassphrase: {
    method: 'POST',
    path: '/api/repositories/:repo_id/change-passphrase',
    summary: 'Give a repository a new passphrase',
    description:
      'Queues a job that changes it in Borg and here. Until the new passphrase has opened the repository, the old one ' +
      'stays stored, so a crash at any moment leaves a repository that opens. The recovery sheet is then out of date. ' +
      'Keys that were exported earlier still open with the old passphrase. For several repositories, call it for each.',
    pathParams: field.ofRepository,
    body: passphraseChange,
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...confirmed, creates: 'job' } satisfies RouteMetadata,
  },
  startCompact: {
    method: 'POST',
    path: '/api/repositories/:repo_id/compact',
    summary: 'Free the space of removed archives',
    description: 'Queues a job. Pruning and deleting archives only mark space as free.',
    pathParams: field.ofRepository,
    body: z.unknown().optional(),
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'job' } satisfies RouteMetadata,
  },
  startPrune: {
    method: 'POST',
    path: '/api/repositories/:repo_id/prune',
    summary: 'Prune a repository: remove archives that no retention rule keeps, or list them',
    description:
      'Waits up to 25 seconds for the job. After that, the job continues: poll its status. The newest good ' +
      'archive is never removed. Compact the repository afterwards to free the space. A browser session must ' +
      'confirm the password first, except for a `dry_run`.',
    pathParams: field.ofRepository,
    body: pruneInput,
    responses: { 200: pruneAnswer, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...sometimesConfirmed, creates: 'job' } satisfies RouteMetadata,
  },
  acceptChanges: {
    method: 'POST',
    path: '/api/repositories/:repo_id/accept-changes',
    summary: 'Accept that a backup changed or removed most files',
    description:
      'Closes the incident `mass_change`, and all schedules prune the repository again with their next run. ' +
      'Does nothing without `mass_change`. Look at the changes first: they may be the work of malware.',
    pathParams: field.ofRepository,
    body: z.unknown().optional(),
    responses: { 200: done, ...failures },
    metadata: { ...confirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  breakLock: {
    method: 'POST',
    path: '/api/repositories/:repo_id/break-lock',
    summary: 'Break the lock of a repository',
    description:
      'For a stale lock. Make sure that no other client is writing to the repository. Rejected while a job ' +
      'or request of Holdfast uses the repository.',
    pathParams: field.ofRepository,
    body: z.unknown().optional(),
    responses: { 200: done.extend({ holder: z.string().nullable() }), ...failures },
    metadata: { cost: 'high', ...confirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  getCheckSchedule: {
    method: 'GET',
    path: '/api/repositories/:repo_id/check-schedule',
    summary: 'Show when a repository is checked automatically',
    description: 'The cron expression is null if no checks are scheduled.',
    pathParams: field.ofRepository,
    responses: { 200: checkScheduleView.extend({ success }), 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...anyUser, version: 'check_schedule' } satisfies RouteMetadata,
  },
  putCheckSchedule: {
    method: 'PUT',
    path: '/api/repositories/:repo_id/check-schedule',
    summary: 'Set when a repository is checked automatically',
    description:
      'Absent fields are not changed. An empty cron expression disables the checks. A browser session must ' +
      'confirm the password first to change when enabled checks run, or to disable them.',
    pathParams: field.ofRepository,
    body: checkScheduleChanges,
    responses: { 200: checkScheduleWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...sometimesConfirmed, version: 'check_schedule' } satisfies RouteMetadata,
  },
});
