import { useCasesOf } from '../../foundation/kernel/index.js';
import type { MonitoringNeeds } from './needs.js';
import { getProtection } from './protection.js';
import { getProtectionHealth, withoutNames } from './protection-health.js';
import { getHealth, getReadiness, getRoot, getSystemInfo, listPlugins } from './system.js';

export const systemUseCases = (dependencies: MonitoringNeeds) => ({
  ...useCasesOf(dependencies, {
    getProtection,
    getRoot,
    getSystemInfo,
    listPlugins,
  }),
  getHealth: getHealth(dependencies),
  getProtectionHealth: protectionHealth(dependencies),
  getReadiness: getReadiness(dependencies),
});

/** Signed-in callers also see names and reasons. */
const protectionHealth = (dependencies: MonitoringNeeds) => {
  const read = getProtectionHealth(dependencies);
  return async (isSignedIn: boolean) => (isSignedIn ? read() : withoutNames(await read()));
};
