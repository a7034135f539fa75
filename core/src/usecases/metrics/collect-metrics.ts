import { type Metric, metric, sample } from '../../domain/metric.js';
import { withinTime } from '../../runtime/within-time.js';
import type { Dependencies } from '../dependencies.js';
import { jobMetrics } from './job-metrics.js';
import { type MetricFacts, readMetricFacts } from './metric-facts.js';
import { protectionMetrics } from './protection-metrics.js';
import { repositoryMetrics } from './repository-metrics.js';
import { scheduleMetrics } from './schedule-metrics.js';

const storeAnswersWithinMs = 5_000;

type Needs = Pick<Dependencies, 'storage' | 'clock' | 'log'>;

/**
 * Everything that is measured of repositories, jobs and schedules. Never fails: without the storage only `bk_store_up`
 * is known, and says so.
 */
export const collectMetrics = (needs: Needs) => async (): Promise<Metric[]> => {
  const facts = await readFacts(needs);
  const up = metric(
    'store_up',
    'Whether the storage answers: 1 yes, 0 no.',
    [],
    [sample({}, Number(facts !== null))],
  );
  if (facts === null) return [up];
  const all = [repositoryMetrics, protectionMetrics, jobMetrics, scheduleMetrics];
  return [...all.flatMap((metricsOf) => metricsOf(facts)), up];
};

async function readFacts(needs: Needs): Promise<MetricFacts | null> {
  try {
    const late = () => new Error('the storage did not answer in time');
    return await withinTime(storeAnswersWithinMs, () => readMetricFacts(needs), late);
  } catch (error) {
    needs.log.warn('the metrics could not be read from the storage', { error });
    return null;
  }
}
