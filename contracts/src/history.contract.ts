import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, idText, integerText, type RouteMetadata } from './common.js';
import { pathHistory } from './schemas/archive.js';
import * as field from './schemas/fields.js';
import { calendarDay, historyDays, historyRuns, repositoryHistory } from './schemas/history.js';

const c = initContract();
const anyUser = { access: { who: 'any' }, tag: 'History' } satisfies RouteMetadata;
const instant = z
  .string()
  .datetime({
    offset: true,
    message: 'must be an ISO 8601 time with a time zone, for example 2030-01-31T00:00:00Z',
  })
  .optional();

export const timezoneText = z
  .string()
  .min(1)
  .max(100, 'must have at most 100 characters')
  .default('UTC')
  .openapi({ description: 'IANA name of the time zone that defines the days.', example: 'Europe/Berlin' });

export const historyContract = c.router({
  repository: {
    method: 'GET',
    path: '/api/repositories/:repo_id/history',
    summary: 'Show the growth of a repository, or the history of a path in its archives',
    description:
      'With `path`: the same as GET /api/archives/history, which builds listings that are not cached; other ' +
      'parameters are ignored. Without: the archives, and samples of the size. A sample is stored at the end of each backup, prune and compact. All samples of 90 days are kept, ' +
      'then the last one of each day for five years. Does not run Borg without `path`.',
    pathParams: field.ofRepository,
    query: z.object({
      path: field.insidePath.min(1).optional().openapi({ description: 'Path inside the archives.' }),
      from: instant.openapi({ description: 'Default: 30 days before `to`.' }),
      to: instant.openapi({ description: 'Not included. Default: now. At most 3660 days after `from`.' }),
      limit: integerText({ min: 1, max: 5000, fallback: 1000 }).openapi({
        description: 'Maximum number of archives, and of samples.',
      }),
      offset: field.offsetText(1_000_000).openapi({
        description: 'Number of archives, and of samples, to skip.',
      }),
    }),
    responses: { 200: z.union([repositoryHistory, pathHistory]), ...failures },
    metadata: { ...anyUser, costly: { parameter: 'path', right: 'restore' } } satisfies RouteMetadata,
  },
  days: {
    method: 'GET',
    path: '/api/history/days',
    summary: 'Show the backup status of each day, one state per day and repository',
    description: 'Derived from the jobs, the run histories of the schedules and the archives.',
    query: z.object({
      days: integerText({ min: 1, max: 366, fallback: 30 }).openapi({
        description: 'Number of days, up to today.',
      }),
      timezone: timezoneText,
      repository_id: idText.optional().openapi({ description: 'Only this repository.' }),
    }),
    responses: { 200: historyDays, ...failures },
    metadata: anyUser,
  },
  runs: {
    method: 'GET',
    path: '/api/history/runs',
    summary: 'List the backups of one day, with the scheduled runs that did not take place',
    description: 'The reasons for the status of the day in GET /api/history/days.',
    query: z.object({
      day: calendarDay
        .refine((text) => z.string().date().safeParse(text).success, 'must be a date, for example 2026-03-01')
        .openapi({ description: 'Date in the time zone.', example: '2026-03-01' }),
      timezone: timezoneText,
      repository_id: idText.optional().openapi({ description: 'Only this repository.' }),
      limit: field.limitText({ max: 1000, fallback: 200 }),
    }),
    responses: { 200: historyRuns, ...failures },
    metadata: anyUser,
  },
});
