import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, idText, type RouteMetadata, retryable } from './common.js';
import * as field from './schemas/fields.js';
import {
  discoverInput,
  discoveryView,
  importManyAnswer,
  importManyInput,
  openAnswer,
  openInput,
} from './schemas/moving-in.js';
import { newTimezone } from './schemas/schedule-fields.js';
import { suggestionsAnswer, takeOverAnswer, takeOverInput } from './schemas/take-over.js';

const c = initContract();
const tag = 'Import and migrate';
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const costly = { cost: 'high', ...admin, creates: 'nothing' } satisfies RouteMetadata;

export const movingInContract = c.router({
  discover: {
    method: 'POST',
    path: '/api/repositories/discover',
    summary: 'Search this server or a host for existing repositories',
    description:
      'Starts a job. It follows no symlinks, does not search inside repositories, and changes nothing. The ' +
      'job can be followed and cancelled like any other.',
    body: discoverInput.openapi({ example: { path: '/srv/backups', depth: 8 } }),
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'job' } satisfies RouteMetadata,
  },
  discovery: {
    method: 'GET',
    path: '/api/repositories/discover/:job_id',
    summary: 'Show the repositories that a discovery has found so far',
    description: 'For the next page, pass `next_after` as `after`, until it is null.',
    pathParams: field.jobPath,
    query: z.object({
      after: idText.optional().openapi({ description: 'Only those after this one: `next_after` of a page.' }),
      limit: field.limitText({ max: 1_000, fallback: 200 }),
    }),
    responses: { 200: discoveryView, ...failures },
    metadata: admin,
  },
  open: {
    method: 'POST',
    path: '/api/repositories/discover/:job_id/open',
    summary: 'Open repositories that a discovery found, to show their contents',
    description:
      'Read-only: no lock is taken, and nothing is written to them. The secrets are not stored. ' +
      'Repositories that cannot be opened are reported one by one.',
    pathParams: field.jobPath,
    body: openInput.openapi({ example: { passphrase: 'correct horse battery' } }),
    responses: { 200: openAnswer, ...failures },
    metadata: costly,
  },
  importMany: {
    method: 'POST',
    path: '/api/repositories/import-many',
    summary: 'Register many existing repositories, each with its own result',
    description:
      'In observe mode by default. Registered repositories stay unchanged, so the call can be repeated: ' +
      'after an interruption it imports the rest.',
    body: importManyInput,
    responses: { 200: importManyAnswer, ...failures },
    metadata: costly,
  },
  suggestions: {
    method: 'GET',
    path: '/api/repositories/:repo_id/suggestions',
    summary: 'Suggest settings from the existing archives',
    description:
      'Infers sources, exclude patterns and compression from the command lines of the newest archives, the ' +
      'schedule from their times, and the retention from the archives that are left. Needs no access to ' +
      'the sources.',
    pathParams: field.ofRepository,
    query: z.object({
      timezone: newTimezone.openapi({
        description: 'Time zone of the suggested schedule. Default: the time zone of Holdfast (`TZ`).',
      }),
    }),
    responses: { 200: suggestionsAnswer, ...failures },
    metadata: { ...admin, cost: 'high' } satisfies RouteMetadata,
  },
  takeOver: {
    method: 'POST',
    path: '/api/repositories/:repo_id/take-over',
    summary: 'Take over the backups of a repository from another program',
    description:
      'Sets sources and full mode, creates the schedule and handles the existing archives, all or nothing. ' +
      '409 unless `old_scheduler_off` is true. A browser session must confirm the password first to adopt ' +
      'archives.',
    pathParams: field.ofRepository,
    body: takeOverInput,
    responses: { 200: takeOverAnswer, ...failures },
    metadata: {
      cost: 'high',
      access: { who: 'admin', confirm: 'sometimes' },
      tag,
      creates: 'nothing',
    } satisfies RouteMetadata,
  },
});
