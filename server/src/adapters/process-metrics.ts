import type { StorageBackend, StorageSession } from '@holdfast/core/server';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What the process measures of itself, from its start on. */
export interface ProcessMetrics {
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  /** The same storage; each of its operations is timed. */
  timed(storage: StorageBackend): StorageBackend;
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
  let begun = false;
  return {
    text() {
      // Its watchers cost a little all the time: only who asks pays for them.
      if (!begun) watchProcess(registry);
      begun = true;
      return registry.metrics();
    },
    timed: (storage) => timedStorage(storage, time),
  };
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
  return { ...session, transaction: (work) => time('transaction', () => storage.transaction(work)) };
}
