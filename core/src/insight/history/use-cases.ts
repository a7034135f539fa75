import { getHistoryDays } from './history-days.js';
import type { HistoryNeeds } from './needs.js';
import { getRepositoryHistory } from './repository-history.js';

export const historyUseCases = (dependencies: HistoryNeeds) => ({
  getHistoryDays: getHistoryDays(dependencies),
  getRepositoryHistory: getRepositoryHistory(dependencies),
});
