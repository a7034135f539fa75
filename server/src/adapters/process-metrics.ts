import type { CacheStore, StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What the process measures of itself, from its start on. */
export interface ProcessMetrics {
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  /** The same storage; each of its operations is timed. */
  timed(storage: StorageBackend): StorageBackend;
  /** The same cache; what it is asked for is counted. */
  counted(cache: CacheStore): CacheStore;
}

const secondBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

export function makeProcessMetrics(): ProcessMetrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'bk_store_operation_duration_seconds',
    help: 'Duration of the operations of the storage; a transaction counts as one.',
    labelNames: ['operation'],
    buckets: secondBuckets,
    registers: [registry],
  });
  const time = <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const end = durations.startTimer({ operation });
    return work().finally(end);
  };
  const lookups = new Counter({
    name: 'bk_cache_lookups_total',
    help: 'Entries that the cache was asked for since the start of the process, by what came of it.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of lookupResults) lookups.inc({ result }, 0);
  let begun = false;
  return {
    text() {
      // Its watchers cost a little all the time: only who asks pays for them.
      if (!begun) watchProcess(registry);
      begun = true;
      return registry.metrics();
    },
    timed: (storage) => timedStorage(storage, time),
    counted: (cache) => countedCache(cache, (result) => lookups.inc({ result })),
  };
}

const lookupResults = ['hit', 'miss', 'failure'] as const;
type LookupResult = (typeof lookupResults)[number];

/** Any published adapter may be one: whatever else it has stays as it is. */
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

/** Gauges that are called as if they were counters. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `bk_nodejs_active_${what}_total`);

function watchProcess(register: Registry): void {
  collectDefaultMetrics({ prefix: 'bk_', register, eventLoopMonitoringPrecision: 100 });
  for (const name of misnamed) register.removeSingleMetric(name);
}

type Time = <T>(operation: string, work: () => Promise<T>) => Promise<T>;

function timedStorage(storage: StorageBackend, time: Time): StorageBackend {
  const session: StorageSession = {
    find: (...words) => time('find', () => storage.find(...words)),
    insert: (...words) => time('insert', () => storage.insert(...words)),
    update: (...words) => time('update', () => storage.update(...words)),
    remove: (...words) => time('remove', () => storage.remove(...words)),
    aggregate: (...words) => time('aggregate', () => storage.aggregate(...words)),
  };
  const timed: StorageBackend = {
    ...session,
    transaction: (work) => time('transaction', () => storage.transaction(work)),
  };
  // Not timed: it is asked with each request, and is next to nothing.
  return Object.assign(timed, storage.mark && { mark: storage.mark.bind(storage) });
}
