/** Health, readiness, metrics, and the protection of each repository. */

export { collectMetrics } from './collect-metrics.js';
export type { Metric, MetricSample } from './metric.rules.js';
export type { HeartbeatState } from './needs.js';
export { getProtectionHealth } from './protection-health.js';
export {
  type AllRepositories,
  archivesSeenAt,
  isOutdated,
  type RepositoryFacts,
  readRepositoryFacts,
} from './repository-facts.js';
export {
  day,
  jumpsOf,
  type KnownSheet,
  marksOf,
  readKnownSheet,
  sheetProblem,
  sheetSetting,
} from './sheet-state.js';
export { findInstallation } from './system.js';
export { systemUseCases } from './use-cases.js';
