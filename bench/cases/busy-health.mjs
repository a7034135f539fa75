import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { folderOfFile } from '../archive-stream.mjs';
import { repositoryOf } from '../listing-archives.mjs';
import { backUp, createRepository, passphrase, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { milliseconds } from '../statistics.mjs';
import { makeRandomTree } from '../trees.mjs';

const backups = 4;
const browsers = 10;
/** Like a load balancer that asks often; a browser is a person who clicks ten times a second. */
const askEveryMs = 20;
const clickEveryMs = 100;
const limit = 50;

/** How long `/health` takes while backups run and people browse. */
export async function busyHealth({ folder, say }) {
  const dataDirectory = join(folder, 'busy-data');
  const source = join(folder, 'busy-source');
  for (const path of [dataDirectory, source]) mkdirSync(path);
  makeRandomTree(source, { files: 500, mebibytes: settings.busyMebibytes });
  const place = await repositoryOf({ files: settings.searchEntries, archives: 20, say });
  const service = await startService(dataDirectory, { env: { MAX_CONCURRENT_JOBS: String(backups) } });
  try {
    const api = await signIn(service.url);
    await api.post('/api/repositories/import', {
      name: 'browsed',
      path: place.repository,
      passphrase,
      mode: 'observe',
    });
    const contents = (path) =>
      api.get(`/api/archives/archive-00/contents?repository_id=1&path=${encodeURIComponent(path)}`);
    await contents('');
    const paths = Array.from({ length: backups }, (_, n) => join(folder, `busy-${n}`));
    for (const [n, path] of paths.entries()) await createRepository(api, { name: `b${n}`, path, source });
    const times = await whileBusy({ api, contents, paths, url: service.url });
    times.sort((a, b) => a - b);
    say(`${times.length} times /health, median ${milliseconds(times[Math.floor(times.length / 2)])}`);
    const slow = times[Math.floor(times.length * 0.99)];
    return [
      {
        what: `/health while ${backups} backups run and ${browsers} people browse, 99th percentile of ${times.length}`,
        measured: milliseconds(slow),
        limit: milliseconds(limit),
        passed: slow <= limit,
      },
    ];
  } finally {
    await service.stop();
  }
}

async function whileBusy({ api, contents, paths, url }) {
  let busy = true;
  const people = Array.from({ length: browsers }, async (_, person) => {
    for (let n = person; busy; n += browsers) {
      await contents(folderOfFile((n * 7_919_000) % settings.searchEntries));
      await pause(clickEveryMs);
    }
  });
  const asker = new Worker(new URL('../health-asker.mjs', import.meta.url), {
    workerData: { url, everyMs: askEveryMs },
  });
  await Promise.all(paths.map((path) => backUp(api, path)));
  busy = false;
  const answered = once(asker, 'message');
  asker.postMessage('stop');
  const [times] = await answered;
  await Promise.all(people);
  return times;
}
