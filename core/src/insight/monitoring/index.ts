/** Health, readiness, metrics, and whether each repository is protected. */

export { type Attention, isBelow, listAttention, nearlyFull } from './attention.rules.js';
export { archivesSeenAt, attentionFacts, isOutdated, readTroubles } from './attention-facts.js';
export { collectMetrics } from './collect-metrics.js';
export type { JudgedSchedule } from './judged-rows.js';
export type { Metric, MetricSample } from './metric.rules.js';
export { readMetricFacts } from './metric-facts.js';
export type { HeartbeatState } from './needs.js';
export { getProtectionHealth } from './protection-health.js';
export {
  type AllRepositories,
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
