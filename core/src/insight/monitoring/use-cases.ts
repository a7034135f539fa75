import type { MonitoringNeeds } from './needs.js';
import { getProtection } from './protection.js';
import { getProtectionHealth, withoutNames } from './protection-health.js';
import { getHealth, getReadiness, getRoot, getSystemInfo, listPlugins } from './system.js';

export const systemUseCases = (dependencies: MonitoringNeeds) => ({
  getHealth: getHealth(dependencies),
  getProtection: getProtection(dependencies),
  getProtectionHealth: protectionHealth(dependencies),
  getReadiness: getReadiness(dependencies),
  getRoot: getRoot(dependencies),
  getSystemInfo: getSystemInfo(dependencies),
  listPlugins: listPlugins(dependencies),
});

/** Signed-in callers also see names and reasons. */
const protectionHealth = (dependencies: MonitoringNeeds) => {
  const read = getProtectionHealth(dependencies);
  return async (isSignedIn: boolean) => (isSignedIn ? read() : withoutNames(await read()));
};
