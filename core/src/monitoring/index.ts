export { collectMetrics } from './collect-metrics.js';
export { giveIdentities } from './give-identities.js';
export type { Metric, MetricSample } from './metric.rules.js';
export { findInstallation } from './system.js';
export { systemUseCases } from './use-cases.js';
