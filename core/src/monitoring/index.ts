/** Health, readiness, metrics, and whether each repository is protected. */

export { collectMetrics } from './collect-metrics.js';
export type { Metric, MetricSample } from './metric.rules.js';
export { findInstallation } from './system.js';
export { systemUseCases } from './use-cases.js';
