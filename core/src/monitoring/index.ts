/** Health, readiness, metrics, and whether each repository is protected. */

export { collectMetrics } from './collect-metrics.js';
export type { Metric, MetricSample } from './metric.rules.js';
export { type RepositoryFacts, readMetricFacts } from './metric-facts.js';
export type { HeartbeatState } from './needs.js';
export { getProtectionHealth } from './protection-health.js';
export { findInstallation } from './system.js';
export { systemUseCases } from './use-cases.js';
