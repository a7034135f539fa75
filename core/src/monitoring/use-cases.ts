import type { MonitoringNeeds } from './needs.js';
import { getProtection } from './protection.js';
import { getHealth, getReadiness, getRoot, getSystemInfo, listPlugins } from './system.js';

export const systemUseCases = (dependencies: MonitoringNeeds) => ({
  getHealth: getHealth(dependencies),
  getProtection: getProtection(dependencies),
  getReadiness: getReadiness(dependencies),
  getRoot: getRoot(dependencies),
  getSystemInfo: getSystemInfo(dependencies),
  listPlugins: listPlugins(dependencies),
});
