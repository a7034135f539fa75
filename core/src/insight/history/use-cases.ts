import { useCasesOf } from '../../foundation/kernel/index.js';
import { getHistoryDays } from './history-days.js';
import type { HistoryNeeds } from './needs.js';
import { getRepositoryHistory } from './repository-history.js';
import { listRunsOfDay } from './runs-of-day.js';

export const historyUseCases = (dependencies: HistoryNeeds) => ({
  ...useCasesOf(dependencies, {
    getRepositoryHistory,
  }),
  getHistoryDays: getHistoryDays(dependencies),
  listRunsOfDay: listRunsOfDay(dependencies),
});
