import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { booleanText, failures, id, linkQuery, type RouteMetadata, retryable } from './common.js';
import * as field from './schemas/fields.js';
import { backupJobView, logPage, repositoryReference } from './schemas/job.js';

const c = initContract();
const metadata = (extra: Partial<RouteMetadata> = {}): RouteMetadata => ({
  access: { who: 'any' },
  tag: 'Backups',
  ...extra,
});

export const backupsContract = c.router({
  start: {
    method: 'POST',
    path: '/api/backup/start',
    summary: 'Start a backup of a repository',
    description: 'Queues a job. If the repository is busy, `message` says what the job is waiting for.',
    body: z
      .object({ repository: repositoryReference.optional(), repository_id: id.optional() })
      .refine((body) => body.repository !== undefined || body.repository_id !== undefined, {
        message: 'is required: the path of a registered repository',
        path: ['repository'],
      })
      .openapi({ example: { repository: '/backups/home' } }),
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: metadata({ cost: 'high', creates: 'job', alias: '/api/backup/run' }),
  },
  list: {
    method: 'GET',
    path: '/api/backup/jobs',
    summary: 'List backup jobs, newest first',
    description: 'The last `limit` jobs of all repositories.',
    query: z.object({
      limit: field.limitText({ max: 1000, fallback: 200 }),
      scheduled_only: booleanText.openapi({ description: 'Only backups that a schedule started.' }),
      manual_only: booleanText.openapi({ description: 'Only backups that a user started.' }),
    }),
    responses: { 200: z.object({ success: z.literal(true), jobs: z.array(backupJobView) }), ...failures },
    metadata: metadata(),
  },
  status: {
    method: 'GET',
    path: '/api/backup/status/:job_id',
    summary: 'Show one backup job with its progress',
    description: 'Poll until `completed_at` is set; `status` is then the result.',
    pathParams: field.jobPath,
    responses: { 200: backupJobView.extend({ success: z.literal(true) }), ...failures },
    metadata: metadata(),
  },
  cancel: {
    method: 'POST',
    path: '/api/backup/cancel/:job_id',
    summary: 'Cancel a pending or running backup job',
    description:
      'A running job ends without an archive. The next backup reuses the data that was already stored.',
    pathParams: field.jobPath,
    body: z.unknown().optional(),
    responses: { 200: field.cancelled, ...failures },
    metadata: metadata({ creates: 'nothing' }),
  },
  readLog: {
    method: 'GET',
    path: '/api/backup/logs/:job_id/stream',
    summary: 'Read lines of a job log, starting at a line number',
    description: 'To follow a running job, poll with `offset` set to the number of lines read so far.',
    pathParams: field.jobPath,
    query: z.object({
      offset: field.offsetText(),
      limit: field.limitText({ max: 10_000, fallback: 10_000 }),
    }),
    responses: { 200: logPage, ...failures },
    metadata: metadata(),
  },
  downloadLog: {
    method: 'GET',
    path: '/api/backup/logs/:job_id/download',
    summary: 'Download a job log as a text file',
    description: 'The whole log. The token may be passed in the query.',
    pathParams: field.jobPath,
    query: linkQuery,
    responses: { 200: c.otherResponse({ contentType: 'text/plain', body: z.string() }), ...failures },
    metadata: metadata({
      access: { who: 'any', tokenInQuery: true },
      download: { contentType: 'text/plain' },
    }),
  },
});
