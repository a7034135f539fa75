import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { cacheable, failures, type RouteMetadata } from './common.js';
import { timezoneText } from './history.contract.js';
import { overview, statusSummary } from './schemas/overview.js';

const c = initContract();

export const overviewContract = c.router({
  get: {
    method: 'GET',
    path: '/api/overview',
    summary: 'Show at a glance whether everything is protected, and what needs attention',
    description:
      'Everything a dashboard needs, in one response. Uses only stored data: it neither runs Borg nor ' +
      'contacts other hosts.',
    query: z.object({ timezone: timezoneText }),
    responses: { 200: overview, ...failures },
    metadata: { access: { who: 'any' }, tag: 'Overview' } satisfies RouteMetadata,
  },
  summary: {
    method: 'GET',
    path: '/api/status/summary',
    summary: 'Show the state in a few flat fields, for widgets and status pages',
    description:
      'At most 1,024 bytes, with an `ETag` that changes only with the state. A token with `summary_only` opens only this.',
    responses: { 200: statusSummary, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: {
      access: { who: 'any', summaryTokens: true },
      tag: 'Overview',
      tagged: true,
    } satisfies RouteMetadata,
  },
});
