import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, linkQuery, type RouteMetadata, retryable } from './common.js';
import { archiveContents, archiveList } from './schemas/archive.js';
import * as field from './schemas/fields.js';
import { logPage } from './schemas/job.js';
import { logs } from './schemas/maintenance.js';
import {
  restoreDumpInput,
  restoreInput,
  restoreJobView,
  restoreManifest,
  restorePlanView,
  restoreStartInput,
} from './schemas/restore.js';

const c = initContract();
const tag = 'Restore';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const success = z.literal(true);
const page = (most: number) =>
  z.object({ offset: field.offsetText(), limit: field.limitText({ max: most, fallback: most }) });

export const restoreContract = c.router({
  plan: {
    method: 'POST',
    path: '/api/restore/plan',
    summary: 'Show what a restore would do, without writing anything',
    description:
      'The plan is valid for one hour, for the user who requested it, for one start, and only while the archive ' +
      'and the target do not change.',
    body: restoreInput,
    responses: { 200: restorePlanView, ...failures },
    metadata: { cost: 'high', ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  start: {
    method: 'POST',
    path: '/api/restore/start',
    summary: 'Restore an archive, or paths of it',
    description:
      'Queues a job, with or without a plan. It extracts into a hidden folder next to the target and moves the ' +
      'files into place at the end. A failed or cancelled restore leaves the target unchanged. A browser session ' +
      'must confirm the password first to overwrite files, or to restore the backup of Holdfast itself.',
    body: restoreStartInput,
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: {
      cost: 'high',
      tag,
      creates: 'job',
      access: { who: 'admin', confirm: 'sometimes' },
    } satisfies RouteMetadata,
  },
  dump: {
    method: 'POST',
    path: '/api/restore/dump',
    summary: 'Restore a dump into a database',
    description:
      'Queues a job. Without `replace`, `into` is a new database. A browser session must confirm the password first ' +
      'to replace one.',
    body: restoreDumpInput,
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: {
      cost: 'high',
      tag,
      creates: 'job',
      access: { who: 'admin', confirm: 'sometimes' },
    } satisfies RouteMetadata,
  },
  jobs: {
    method: 'GET',
    path: '/api/restore/jobs',
    summary: 'List restores, newest first',
    description: 'The last `limit` restores of all repositories.',
    query: z.object({ limit: field.limitText({ max: 1000, fallback: 50 }) }),
    responses: { 200: z.object({ success, jobs: z.array(restoreJobView) }), ...failures },
    metadata: anyUser,
  },
  status: {
    method: 'GET',
    path: '/api/restore/status/:job_id',
    summary: 'Show one restore with its progress',
    description: 'Poll until `completed_at` is set; `status` is then the result.',
    pathParams: field.jobPath,
    responses: { 200: restoreJobView.extend({ success, logs }), ...failures },
    metadata: anyUser,
  },
  cancel: {
    method: 'POST',
    path: '/api/restore/cancel/:job_id',
    summary: 'Cancel a pending or running restore',
    description: 'The target is left unchanged.',
    pathParams: field.jobPath,
    body: z.unknown().optional(),
    responses: { 200: field.cancelled, ...failures },
    metadata: { ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  manifest: {
    method: 'GET',
    path: '/api/restore/manifest/:job_id',
    summary: 'Show the result for each path of a restore',
    description:
      'The first 200000 paths. Empty until the restore ends, and if the target was left unchanged.',
    pathParams: field.jobPath,
    query: page(10_000),
    responses: { 200: restoreManifest, ...failures },
    metadata: anyUser,
  },
  log: {
    method: 'GET',
    path: '/api/restore/logs/:job_id',
    summary: 'Read lines of the log of a restore, starting at a line number',
    description: 'To follow a running restore, poll with `offset` set to the number of lines read so far.',
    pathParams: field.jobPath,
    query: page(10_000),
    responses: { 200: logPage, ...failures },
    metadata: anyUser,
  },
  downloadLog: {
    method: 'GET',
    path: '/api/restore/logs/:job_id/download',
    summary: 'Download the log of a restore as a text file',
    description: 'The whole log. The token may be passed in the query.',
    pathParams: field.jobPath,
    query: linkQuery,
    responses: { 200: c.otherResponse({ contentType: 'text/plain', body: z.string() }), ...failures },
    metadata: {
      access: { who: 'any', tokenInQuery: true },
      tag,
      download: { contentType: 'text/plain' },
    } satisfies RouteMetadata,
  },
  archives: {
    method: 'GET',
    path: '/api/restore/archives/:repository_id',
    summary: 'List the archives of a repository that can be restored, newest last',
    description: 'Like GET /api/archives/list, by repository id.',
    pathParams: z.object({ repository_id: field.repositoryIdText }),
    responses: { 200: archiveList, ...failures },
    metadata: anyUser,
  },
  contents: {
    method: 'GET',
    path: '/api/restore/contents/:repository_id/:archive_name',
    summary: 'List one directory of an archive, to choose paths',
    description: 'Like GET /api/archives/{archive_id}/contents, by repository id.',
    pathParams: z.object({ repository_id: field.repositoryIdText, archive_name: field.archiveInPath }),
    query: z.object({ path: field.insideDirectory }),
    responses: { 200: archiveContents, ...failures },
    metadata: anyUser,
  },
});
