import { useCasesOf } from '../../foundation/kernel/index.js';
import { getHistoryDays } from './history-days.js';
import type { HistoryNeeds } from './needs.js';
import { getRepositoryHistory } from './repository-history.js';

export const historyUseCases = (dependencies: HistoryNeeds) => ({
  ...useCasesOf(dependencies, {
    getRepositoryHistory,
  }),
  getHistoryDays: getHistoryDays(dependencies),
});
