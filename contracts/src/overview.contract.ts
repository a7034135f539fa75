import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, type RouteMetadata } from './common.js';
import { timezoneText } from './history.contract.js';
import { overview } from './schemas/overview.js';

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
});
