import type { Dependencies } from '../dependencies.js';
import { getProtection } from './get-protection.js';
import { getHealth } from './get-health.js';
import { getReadiness } from './get-readiness.js';
import { getRoot } from './get-root.js';
import { getSystemInfo } from './get-system-info.js';
import { listPlugins } from './list-plugins.js';

export const systemUseCases = (dependencies: Dependencies) => ({
  getHealth: getHealth(dependencies),
  getProtection: getProtection(dependencies),
  getReadiness: getReadiness(dependencies),
  getRoot: getRoot(),
  getSystemInfo: getSystemInfo(dependencies),
  listPlugins: listPlugins(dependencies),
});
