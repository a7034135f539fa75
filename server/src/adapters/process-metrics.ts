import { wrapSession, wrapStorage } from '@holdfast/core/server';
import type { CacheStore, StorageBackend } from '@holdfast/plugin-api';
import { leftBehind } from '@holdfast/plugin-api/files';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of this process since its start. */
export interface ProcessMetrics {
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  /** Wraps the storage to time each operation. */
  timed(storage: StorageBackend): StorageBackend;
  /** Wraps the cache to count lookups. */
  counted(cache: CacheStore): CacheStore;
}

const secondBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

export function makeProcessMetrics(): ProcessMetrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'bk_store_operation_duration_seconds',
    help: 'Duration of storage operations; a transaction counts as one.',
    labelNames: ['operation'],
    buckets: secondBuckets,
    registers: [registry],
  });
  const time = <T>(work: () => Promise<T>, operation: string): Promise<T> => {
    const end = durations.startTimer({ operation });
    return work().finally(end);
  };
  const lookups = new Counter({
    name: 'bk_cache_lookups_total',
    help: 'Cache lookups since the start of the process, by result.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of lookupResults) lookups.inc({ result }, 0);
  let begun = false;
  return {
    text() {
      // The collectors have a constant cost, so they start with the first scrape.
      if (!begun) watchProcess(registry);
      begun = true;
      return registry.metrics();
    },
    // The change token is not timed: it is read with each request and costs next to nothing.
    timed: (storage) =>
      wrapStorage(storage, {
        ...wrapSession(storage, time),
        transaction: (work) => time(() => storage.transaction(work), 'transaction'),
      }),
    counted: (cache) => countedCache(cache, (result) => lookups.inc({ result })),
  };
}

const lookupResults = ['hit', 'miss', 'failure'] as const;
type LookupResult = (typeof lookupResults)[number];

/** A proxy, because a cache plugin may have methods beyond the port. */
function countedCache(cache: CacheStore, count: (result: LookupResult) => void): CacheStore {
  const get = async (key: string) => {
    try {
      const value = await cache.get(key);
      count(value === undefined || value === null ? 'miss' : 'hit');
      return value;
    } catch (error) {
      count('failure');
      throw error;
    }
  };
  return new Proxy(cache, {
    get(target, name) {
      if (name === 'get') return get;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Gauges that are named like counters. */
const namedLikeCounters = ['handles', 'requests', 'resources'].map(
  (what) => `bk_nodejs_active_${what}_total`,
);

function watchProcess(register: Registry): void {
  collectDefaultMetrics({ prefix: 'bk_', register, eventLoopMonitoringPrecision: 100 });
  for (const name of namedLikeCounters) register.removeSingleMetric(name);
  new Gauge({
    name: 'bk_left_behind_processes',
    help: 'Killed processes that still wait for a file system that does not respond',
    registers: [register],
    collect() {
      this.set(leftBehind());
    },
  });
}
