import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, idText, integerText, type RouteMetadata } from './common.js';
import * as field from './schemas/fields.js';
import { historyDays, repositoryHistory } from './schemas/history.js';

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
    summary: 'Show the growth of a repository: its archives, and samples of its size',
    description:
      'A sample is stored at the end of each backup, prune and compact. All samples of 90 days are kept, ' +
      'then the last one of each day for five years. Does not run Borg.',
    pathParams: field.ofRepository,
    query: z.object({
      from: instant.openapi({ description: 'Default: 30 days before `to`.' }),
      to: instant.openapi({ description: 'Not included. Default: now. At most 3660 days after `from`.' }),
      limit: integerText({ min: 1, max: 5000, fallback: 1000 }).openapi({
        description: 'Maximum number of archives, and of samples.',
      }),
      offset: field.offsetText(1_000_000).openapi({
        description: 'Number of archives, and of samples, to skip.',
      }),
    }),
    responses: { 200: repositoryHistory, ...failures },
    metadata: anyUser,
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
});
