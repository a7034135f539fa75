import type { OverviewNeeds } from './needs.js';
import { getOverview } from './overview.js';
import { summaryOf } from './summary.rules.js';

export const overviewUseCases = (needs: OverviewNeeds) => {
  const read = getOverview(needs);
  return { getOverview: read, getSummary: async () => summaryOf(await read({ timezone: 'UTC' })) };
};
