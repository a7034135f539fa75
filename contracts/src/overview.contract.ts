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
      'All that a first page shows, in one answer. Reads only what the service knows: neither the backup tool ' +
      'nor another host is asked.',
    query: z.object({ timezone: timezoneText }),
    responses: { 200: overview, ...failures },
    metadata: { access: { who: 'any' }, tag: 'Overview' } satisfies RouteMetadata,
  },
});
