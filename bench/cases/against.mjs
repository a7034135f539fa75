import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../../scripts/prepare/root.mjs';
import { backUp, createRepository, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, ratio, seconds } from '../statistics.mjs';
import { makeRandomTree, makeWideTree } from '../trees.mjs';
import { settled } from './browse.mjs';

const pollMs = 20;
const run = promisify(execFile);
const wide = 'wide';
const small = 'small';

/**
 * This checkout against another built one, named by BENCH_AGAINST. Both services run at the same time, and each
 * operation goes to one and then to the other, alternating the order from pair to pair.
 */
export async function against({ folder, say }) {
  const other = process.env.BENCH_AGAINST;
  if (!other) {
    say('against: skipped, because BENCH_AGAINST names no other checkout');
    return [];
  }
  const sources = { wide: join(folder, wide), small: join(folder, small) };
  for (const path of Object.values(sources)) mkdirSync(path);
  say(`making ${settings.restored} small files, and ${settings.mebibytes} MiB in ${settings.files} files`);
  makeWideTree(sources.wide, settings.restored);
  makeRandomTree(sources.small, settings);
  const sides = [
    await openSide({ folder: join(folder, 'this'), checkout: root, sources }),
    await openSide({ folder: join(folder, 'other'), checkout: resolve(other), sources }),
  ];
  try {
    const pairs = async (name) => measurePairs(sides, { name, say });
    return [
      atMost('survey of a restore', await pairs('survey')),
      atMost(`restore of ${settings.restored} files`, await pairs('restore')),
      atMost(`first browse of ${settings.restored} files`, await pairs('browse')),
      atMostLonger('backup with nothing changed', await pairs('unchanged')),
    ];
  } finally {
    for (const { service } of sides) await service.stop();
  }
}

async function openSide({ folder, checkout, sources }) {
  const dataDirectory = join(folder, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  const service = await startService(dataDirectory, { checkout });
  const api = await signIn(service.url);
  const repositories = { wide: join(folder, 'wide-repository'), small: join(folder, 'small-repository') };
  for (const name of [wide, small]) {
    await createRepository(api, { name, path: repositories[name], source: sources[name] });
    await backUp(api, repositories[name]);
  }
  const { archives } = await api.get('/api/archives/list?repository_id=1');
  const asked = { repository_id: 1, archive: archives[0].name };
  const target = join(folder, 'restored');
  const restoreOrder = { ...asked, destination: target };
  const clear = () => api.post('/api/cache/clear-repository', { repo_id: 1 });
  return {
    service,
    survey: () => timed(() => api.post('/api/restore/plan', restoreOrder)),
    restore: async () => {
      const took = await timed(() => restore(api, restoreOrder));
      // Not at once: connections that the service closes in the meantime must be noticed.
      await rm(target, { recursive: true });
      return took;
    },
    browse: async () => {
      await clear();
      const path = `/api/archives/${asked.archive}/contents?repository_id=1&path=`;
      const took = await timed(() => api.get(path));
      await settled(api);
      return took;
    },
    unchanged: () => timed(() => backUp(api, repositories.small)),
  };
}

async function timed(work) {
  // Flush the other side's writes, so that they do not slow down this one.
  await run('sync');
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function restore(api, order) {
  const { job_id } = await api.post('/api/restore/start', order);
  for (;;) {
    const job = await api.get(`/api/restore/status/${job_id}`);
    if (job.status === 'completed') return;
    if (job.completed_at !== null)
      throw new Error(`the restore ended as ${job.status}: ${job.error_message}`);
    await pause(pollMs);
  }
}

async function measurePairs([here, there], { name, say }) {
  for (const side of [here, there]) await side[name](); // Warm up both sides.
  const pairs = [];
  for (let n = 0; n < settings.pairs; n++) {
    const times = new Map();
    for (const side of n % 2 === 0 ? [here, there] : [there, here]) times.set(side, await side[name]());
    const pair = { here: times.get(here), there: times.get(there) };
    say(`${name}, pair ${n + 1}: ${seconds(pair.here)} here, ${seconds(pair.there)} there`);
    pairs.push(pair);
  }
  return pairs;
}

function atMost(what, pairs) {
  const value = median(pairs.map(({ here, there }) => here / there));
  return {
    what: `${what}: this ÷ other checkout, median of ${pairs.length} pairs`,
    measured: ratio(value),
    limit: '1.05',
    passed: value <= 1.05,
  };
}

function atMostLonger(what, pairs) {
  const value = median(pairs.map(({ here, there }) => here - there));
  return {
    what: `${what}: this - other checkout, median of ${pairs.length} pairs`,
    measured: seconds(value),
    limit: '0.10 s',
    passed: value <= 100,
  };
}
