import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, id, idText, linkQuery, type RouteMetadata } from './common.js';
import * as field from './schemas/fields.js';
import { jobStatus, logPage } from './schemas/job.js';
import { jobKind, jobView } from './schemas/job-list.js';

const c = initContract();
const tag = 'Jobs';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const success = z.literal(true);
const listOf = <V extends [string, ...string[]]>(value: z.ZodEnum<V>, example: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(value))
    .optional()
    .openapi({ type: 'string', description: 'One or several, separated by commas.', example });

export const jobsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/jobs',
    summary: 'List jobs of every kind, newest first',
    description: 'For the next page, pass `next_before` as `before`, until it is null.',
    query: z.object({
      kind: listOf(jobKind, 'backup,restore'),
      status: listOf(jobStatus, 'failed,cancelled'),
      repository_id: field.repositoryIdText.optional(),
      schedule_id: idText.optional().openapi({ description: 'Only jobs of this schedule.' }),
      before: idText.optional().openapi({ description: 'Only jobs with a lower id.' }),
      limit: field.limitText({ max: 200, fallback: 50 }),
    }),
    responses: {
      200: z.object({ success, jobs: z.array(jobView), next_before: id.nullable() }),
      ...failures,
    },
    metadata: anyUser,
  },
  job: {
    method: 'GET',
    path: '/api/jobs/:job_id',
    summary: 'Show one job of any kind with its progress',
    description: 'Poll until `completed_at` is set; `status` is then the result.',
    pathParams: field.jobPath,
    responses: { 200: z.object({ success, job: jobView }), ...failures },
    metadata: { ...anyUser, alias: '/api/operations/:job_id' } satisfies RouteMetadata,
  },
  cancel: {
    method: 'POST',
    path: '/api/jobs/:job_id/cancel',
    summary: 'Cancel a pending or running job of any kind',
    description:
      'Waits some seconds for the end of a running job. 403 unless you may cancel jobs of this kind: restores, ' +
      'prunes, compacts, archive deletions, repairs and drills need an administrator.',
    pathParams: field.jobPath,
    body: z.unknown().optional(),
    responses: { 200: field.cancelled, ...failures },
    metadata: { ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  log: {
    method: 'GET',
    path: '/api/jobs/:job_id/log',
    summary: 'Read lines of the log of a job, starting at a line number',
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
    path: '/api/jobs/:job_id/log/download',
    summary: 'Download the log of a job as a text file',
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
});
