import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  failures,
  idText,
  linkQuery,
  message,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import {
  drillEvidence,
  drillExportQuery,
  drillFilter,
  drillPage,
  drillScheduleChanges,
  drillScheduleView,
} from './schemas/drill.js';
import * as field from './schemas/fields.js';

const c = initContract();
const tag = 'Drills';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const sometimesConfirmed = { access: { who: 'admin', confirm: 'sometimes' }, tag } satisfies RouteMetadata;
const success = z.literal(true);
const scheduleAlias = '/api/repositories/:repo_id/restore-check-schedule';

export const drillsContract = c.router({
  getSchedule: {
    method: 'GET',
    path: '/api/repositories/:repo_id/drill-schedule',
    summary: 'Show the restore drill schedule of a repository',
    description:
      'Includes when a restore was last verified. The cron expression is null if no drills are scheduled.',
    pathParams: field.ofRepository,
    responses: { 200: drillScheduleView.extend({ success }), 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...anyUser, version: 'drill_schedule', alias: scheduleAlias } satisfies RouteMetadata,
  },
  putSchedule: {
    method: 'PUT',
    path: '/api/repositories/:repo_id/drill-schedule',
    summary: 'Set the restore drill schedule of a repository',
    description:
      'Absent fields are not changed. An empty cron expression disables the drills. A browser session must ' +
      'confirm the password first to change when enabled drills run, or to disable them.',
    pathParams: field.ofRepository,
    body: drillScheduleChanges,
    responses: { 200: drillScheduleView.extend({ success, message }), ...failures, ...outdated },
    headers: conditional,
    metadata: {
      ...sometimesConfirmed,
      version: 'drill_schedule',
      alias: scheduleAlias,
    } satisfies RouteMetadata,
  },
  start: {
    method: 'POST',
    path: '/api/repositories/:repo_id/drill',
    summary: 'Restore a sample of the newest archive into a scratch folder, and compare it',
    description:
      'Queues a job. It changes nothing except a temporary folder in the data folder. The drill schedule ' +
      'of the repository defines the sample, even if it is disabled.',
    pathParams: field.ofRepository,
    body: z.unknown().optional(),
    responses: { 200: field.queued, ...failures },
    headers: retryable,
    metadata: {
      cost: 'high',
      ...admin,
      creates: 'job',
      alias: '/api/repositories/:repo_id/restore-check',
    } satisfies RouteMetadata,
  },
  list: {
    method: 'GET',
    path: '/api/drills',
    summary: 'Page through completed drills, newest first',
    description: 'For the next page, pass `next_before` as `before`, until it is null.',
    query: drillFilter,
    responses: { 200: drillPage, ...failures },
    metadata: anyUser,
  },
  export: {
    method: 'GET',
    path: '/api/drills/export',
    summary: 'Download the evidence of drills, with a hash that is recorded in the audit trail',
    description:
      'JSON, or one page to print. The last line has the SHA-256 of all lines before it; the audit trail ' +
      'records the same hash for this call. At most 200000 restored files: choose a shorter period ' +
      'otherwise.',
    query: drillExportQuery.merge(linkQuery),
    responses: {
      200: c.otherResponse({ contentType: 'application/octet-stream', body: z.string() }),
      ...failures,
    },
    metadata: {
      access: { who: 'any', tokenInQuery: true },
      tag,
      download: { contentType: 'application/octet-stream' },
    } satisfies RouteMetadata,
  },
  get: {
    method: 'GET',
    path: '/api/drills/:drill_id',
    summary: 'Show the evidence of one drill',
    description: 'Shows the restored paths, what each was compared with, and its verdict.',
    pathParams: z.object({ drill_id: idText.openapi({ description: 'Id of the drill.' }) }),
    query: z.object({
      offset: field.offsetText(1_000_000),
      limit: field.limitText({ max: 1000, fallback: 200 }),
    }),
    responses: { 200: drillEvidence, ...failures },
    metadata: anyUser,
  },
});
