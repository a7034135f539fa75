import type { PluginDescription } from '../../engine/plugins/index.js';
import { withinTime } from '../../foundation/kernel/index.js';
import { jobMetrics } from './job-metrics.js';
import { type Metric, metric, sample } from './metric.rules.js';
import { type MetricFacts, readMetricFacts } from './metric-facts.js';
import type { MonitoringNeeds } from './needs.js';
import { protectionMetrics, repositoryMetrics } from './repository-metrics.js';
import { incidentMetrics, outboxMetrics, scheduleMetrics } from './schedule-metrics.js';
import { askPlugins } from './system.js';

const storeAnswersWithinMs = 5_000;

/**
 * All metrics of repositories, jobs, schedules and plugins. Never rejects: without the storage, only
 * `bk_store_up` and the health of plugins are reported.
 */
export const collectMetrics = (needs: MonitoringNeeds) => {
  const ask = askPlugins(needs);
  return async (): Promise<Metric[]> => {
    const [facts, plugins] = await Promise.all([readFacts(needs), ask()]);
    const up = metric(
      'store_up',
      'Whether the storage responds: 1 yes, 0 no.',
      [],
      [sample({}, Number(facts !== null))],
    );
    const measured = facts === null ? [] : all.flatMap((metricsOf) => metricsOf(facts));
    return [...measured, up, pluginMetric(plugins)];
  };
};

const all = [
  repositoryMetrics,
  protectionMetrics,
  jobMetrics,
  scheduleMetrics,
  outboxMetrics,
  incidentMetrics,
];

const pluginMetric = (plugins: readonly PluginDescription[]): Metric =>
  metric(
    'plugin_healthy',
    'Whether a plugin reports that it is healthy: 1 yes, 0 no.',
    ['kind', 'plugin'],
    plugins.flatMap(({ kind, id, chosen, health }) =>
      chosen && kind !== null && id !== null ? [sample({ kind, plugin: id }, Number(health === null))] : [],
    ),
  );

async function readFacts(needs: MonitoringNeeds): Promise<MetricFacts | null> {
  try {
    const late = () => new Error('the storage did not answer in time');
    return await withinTime(storeAnswersWithinMs, () => readMetricFacts(needs), late);
  } catch (error) {
    needs.log.warn('could not read the metrics from the storage', { error });
    return null;
  }
}
