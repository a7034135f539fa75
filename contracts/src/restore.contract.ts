import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, id, idText, integerText, linkQuery, type RouteMetadata, retryable } from './common.js';
import { archiveContents, archiveList } from './schemas/archive.js';
import { logPage } from './schemas/job.js';
import { logs } from './schemas/maintenance.js';
import {
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
const jobPath = z.object({ job_id: idText });
const page = (most: number) =>
  z.object({
    offset: integerText({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
    limit: integerText({ min: 1, max: most, fallback: most }),
  });

export const restoreContract = c.router({
  plan: {
    method: 'POST',
    path: '/api/restore/plan',
    summary: 'Tell what a restore would do, before anything is written',
    description:
      'The plan holds for an hour, for whoever asked, for one start, and only while archive and target stay as they are.',
    body: restoreInput,
    responses: { 200: restorePlanView, ...failures },
    metadata: { cost: 'high', ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  start: {
    method: 'POST',
    path: '/api/restore/start',
    summary: 'Restore an archive, or paths of it',
    description:
      'Queues a job: of a plan, or without one. It extracts into a hidden folder beside the target and moves into ' +
      'place at the end, so that a restore that fails or is cancelled leaves what was there.',
    body: restoreStartInput,
    responses: {
      200: z.object({ success, job_id: id, status: z.literal('pending'), message: z.string() }),
      ...failures,
    },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'job' } satisfies RouteMetadata,
  },
  jobs: {
    method: 'GET',
    path: '/api/restore/jobs',
    summary: 'List restores, newest first',
    description: 'Those of all repositories, the last `limit` of them.',
    query: z.object({ limit: integerText({ min: 1, max: 1000, fallback: 50 }) }),
    responses: { 200: z.object({ success, jobs: z.array(restoreJobView) }), ...failures },
    metadata: anyUser,
  },
  status: {
    method: 'GET',
    path: '/api/restore/status/:job_id',
    summary: 'Show one restore with its progress',
    description: 'Ask until `completed_at` is set; `status` then tells how it ended.',
    pathParams: jobPath,
    responses: { 200: restoreJobView.extend({ success, logs }), ...failures },
    metadata: anyUser,
  },
  cancel: {
    method: 'POST',
    path: '/api/restore/cancel/:job_id',
    summary: 'Cancel a pending or running restore',
    description: 'The target stays as it was.',
    pathParams: jobPath,
    body: z.unknown().optional(),
    responses: {
      200: z.object({ success, message: z.string(), process_terminated: z.boolean() }),
      ...failures,
    },
    metadata: { ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  manifest: {
    method: 'GET',
    path: '/api/restore/manifest/:job_id',
    summary: 'Tell what became of each path of a restore',
    description: 'The first 200000 paths; empty before the end and when the target was left as it was.',
    pathParams: jobPath,
    query: page(10_000),
    responses: { 200: restoreManifest, ...failures },
    metadata: anyUser,
  },
  log: {
    method: 'GET',
    path: '/api/restore/logs/:job_id',
    summary: 'Read lines of the log of a restore, from a line number on',
    description: 'For a restore that runs: ask again with `offset` at the number of lines read so far.',
    pathParams: jobPath,
    query: page(10_000),
    responses: { 200: logPage, ...failures },
    metadata: anyUser,
  },
  downloadLog: {
    method: 'GET',
    path: '/api/restore/logs/:job_id/download',
    summary: 'Download the log of a restore as a text file',
    description: 'The whole log. The token may stand in the query.',
    pathParams: jobPath,
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
    description: 'As GET /api/archives/list, by the id of the repository.',
    pathParams: z.object({ repository_id: idText }),
    responses: { 200: archiveList, ...failures },
    metadata: anyUser,
  },
  contents: {
    method: 'GET',
    path: '/api/restore/contents/:repository_id/:archive_name',
    summary: 'List one directory of an archive, to choose paths from',
    description: 'As GET /api/archives/{archive_id}/contents, by the id of the repository.',
    pathParams: z.object({ repository_id: idText, archive_name: z.string().min(1).max(1024) }),
    query: z.object({ path: z.string().max(65_536).default('') }),
    responses: { 200: archiveContents, ...failures },
    metadata: anyUser,
  },
});
