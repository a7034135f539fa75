import type { Dependencies } from '../app.js';
import { getProtection } from './protection.js';
import { getHealth, getReadiness, getRoot, getSystemInfo, listPlugins } from './system.js';

export const systemUseCases = (dependencies: Dependencies) => ({
  getHealth: getHealth(dependencies),
  getProtection: getProtection(dependencies),
  getReadiness: getReadiness(dependencies),
  getRoot: getRoot(),
  getSystemInfo: getSystemInfo(dependencies),
  listPlugins: listPlugins(dependencies),
});
