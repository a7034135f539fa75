import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { redis as redisService } from '../../scripts/services/redis.mjs';
import { RedisServer } from '../../scripts/services/redis-server.mjs';
import { folderOfFile } from '../archive-stream.mjs';
import { borg, repositoryOf } from '../listing-archives.mjs';
import { passphrase, peakMemory, residentMemory, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, megabytes, milliseconds, ratio, seconds } from '../statistics.mjs';

const archive = 'archive-00';
/** By the time a person browses, the service has been answering for a while. */
const warmUp = 300;
const counted = 1000;
/** The fields that the driver asks for. */
const entryFormat =
  '{type} {mode} {size} {isomtime} {health}{NUL}{user}{NUL}{group}{NUL}{source}{NUL}{bpath}{NUL}';
const listed = ({ base, repository }, ...path) =>
  borg(base, ['list', `--format=${entryFormat}`, `${repository}::${archive}`, ...path], {
    environment: { PYTHONIOENCODING: 'unicode_escape' },
  });

/** One archive with very many entries: first browse, later browses, memory, bytes and search, compared to bare borg. */
export async function browse({ folder, say }) {
  const files = settings.browseEntries;
  const place = await repositoryOf({ files, archives: 1, say });
  await listed(place, folderOfFile(0));
  const bare = { all: (await listed(place)).ms, folder: (await listed(place, folderOfFile(files / 2))).ms };
  say(`bare borg list of ${files} files: ${seconds(bare.all)}, of one folder of it: ${seconds(bare.folder)}`);
  return withService({ folder, place, name: 'browse' }, async ({ service, api }) => {
    const address = (path) => `/api/archives/${archive}/contents?repository_id=1&path=${path}`;
    const contents = (path) => api.get(address(path));
    const { before, peak, first, stats } = await firstBrowse({ service, api, contents });
    const entries = files + Math.ceil(files / 1000);
    const timed = (path) => api.timed(address(path));
    const later = await laterBrowses(timed, files);
    const search = await warmSearch(api, `/api/archives/${archive}/search?repository_id=1`);
    const growth = peak - before - stats.size_bytes;
    const fromRedis = await withRedis(api, async (reads) => {
      await contents('');
      await settled(api);
      const times = await laterBrowses(timed, files, reads);
      say(`of ${counted} browses ${times.reads} read their page from Redis`);
      return times;
    });
    return [
      limited(`first browse of ${files} files ÷ bare borg list`, first / bare.all, {
        limit: 1.15,
        show: ratio,
      }),
      ...browseRows('from memory', later, bare.folder),
      ...browseRows('from Redis', fromRedis, bare.folder),
      limited('resident memory while building it, without cached bytes', growth, {
        limit: 100e6,
        show: megabytes,
      }),
      limited('cached bytes for an entry', stats.size_bytes / entries, {
        limit: 40,
        show: (n) => n.toFixed(1),
      }),
      limited('search by name within it, warm', search, { limit: 1000, show: milliseconds }),
    ];
  });
}

/** One folder with very many entries, page by page. */
export async function wideFolder({ folder, say }) {
  const files = settings.folderEntries;
  const place = await repositoryOf({ files, archives: 1, filesInFolder: files, say });
  return withService({ folder, place, name: 'wide' }, async ({ api }) => {
    const address = `/api/archives/${archive}/contents?repository_id=1&path=${folderOfFile(0)}&limit=1000`;
    await api.get(address);
    await settled(api);
    const times = [];
    for (let n = 0; n < warmUp + counted; n++) {
      const { ms, body } = await api.timed(`${address}&offset=${(n * 7_000) % files}`);
      if (body.items.length !== 1000) throw new Error(`a page has ${body.items.length} entries`);
      if (n >= warmUp) times.push(ms);
    }
    const what = `a page of 1000 in a folder of ${files} entries, warm, median of ${counted} after ${warmUp}`;
    return [limited(what, median(times), { limit: 8, show: milliseconds })];
  });
}

/** Many archives that differ a little: ten people list all of them at once, then search. */
export async function manyArchives({ folder, say }) {
  const archives = 20;
  const place = await repositoryOf({ files: settings.searchEntries, archives, say });
  return withService({ folder, place, name: 'many' }, async ({ api }) => {
    const names = Array.from({ length: archives }, (_, n) => `archive-${String(n).padStart(2, '0')}`);
    const open = (name) => api.get(`/api/archives/${name}/contents?repository_id=1&path=data&limit=1`);
    await Promise.all([...names.slice(0, 10), ...names.slice(0, 10)].map(open));
    for (const name of names.slice(10)) await open(name);
    await settled(api);
    const search = await warmSearch(api, '/api/archives/search?repository_id=1&limit=100');
    const what = `search across ${archives} archives of ${settings.searchEntries} files, warm`;
    return [limited(what, search, { limit: 2000, show: milliseconds })];
  });
}

async function withService({ folder, place, name }, measure) {
  const dataDirectory = join(folder, name);
  mkdirSync(dataDirectory);
  const service = await startService(dataDirectory);
  try {
    const api = await signIn(service.url);
    const path = place.repository;
    await api.post('/api/repositories/import', { name, path, passphrase, mode: 'observe' });
    await api.get('/api/archives/list?repository_id=1');
    return await measure({ service, api });
  } finally {
    await service.stop();
  }
}

async function firstBrowse({ service, api, contents }) {
  const before = residentMemory(service.pid);
  let first = 0;
  const cold = async () => {
    const began = performance.now();
    await contents('');
    first = performance.now() - began;
    await settled(api);
  };
  const peak = await peakMemory(service, cold());
  return { before, peak, first, stats: await api.get('/api/cache/stats') };
}

/** Resolves when all pages are in the cache. */
export async function settled(api) {
  for (let last = -1; ; ) {
    await pause(1000);
    const { entry_count } = await api.get('/api/cache/stats');
    if (entry_count === last && entry_count > 0) return;
    last = entry_count;
  }
}

/** A separate Redis and a very small memory cache, so that nearly every browse reads a page from Redis. */
async function withRedis(api, measure) {
  const { found } = await redisService.prepare();
  const redis = await RedisServer.start(found);
  try {
    await api.put('/api/settings/cache', { url: redis.url, max_size_mb: 1 });
    return await measure(async () => {
      const info = await redis.command('INFO', 'stats');
      return Number(/keyspace_hits:(\d+)/.exec(info)[1]);
    });
  } finally {
    await api.put('/api/settings/cache', { url: null, max_size_mb: null });
    await redis.remove();
  }
}

/** `reads` returns how many values have been read from the store so far. */
async function laterBrowses(timed, files, reads = async () => 0) {
  const times = [];
  let before = 0;
  for (let n = 0; n < warmUp + counted; n++) {
    if (n === warmUp) before = await reads();
    const folder = folderOfFile((n * 7_919_000) % files);
    const { ms, body } = await timed(folder);
    if (n >= warmUp) times.push(ms);
    if (body.items.length === 0) throw new Error(`${folder} is empty`);
  }
  times.sort((a, b) => a - b);
  return { middle: median(times), slow: times[Math.floor(counted * 0.99)], reads: (await reads()) - before };
}

function browseRows(from, { middle, slow }, bare) {
  const what = `a later browse of a folder of it, ${from}`;
  return [
    limited(`${what}, median of ${counted} after ${warmUp}`, middle, { limit: 5, show: milliseconds }),
    limited(`${what}, 99th percentile`, slow, { limit: 25, show: milliseconds }),
    limited(`${what}, median ÷ bare borg list of it`, middle / bare, { limit: 0.01, show: ratio }),
  ];
}

async function warmSearch(api, path) {
  const times = [];
  for (const text of ['length-7770', 'length-7771', 'length-7772', 'length-7773']) {
    const began = performance.now();
    const { items } = await api.get(`${path}&query=${text}.`);
    times.push(performance.now() - began);
    if (items.length === 0) throw new Error(`${text} was not found`);
  }
  return median(times.slice(1));
}

const limited = (what, value, { limit, show }) => ({
  what,
  measured: show(value),
  limit: show(limit),
  passed: value <= limit,
});
