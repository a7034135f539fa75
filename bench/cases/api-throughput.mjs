import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'undici';
import { Database, yearOf } from '../database.mjs';
import { backUp, createRepository, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median } from '../statistics.mjs';

const connections = 10;
const rounds = 5;
const roundMs = settings.roundSeconds * 1000;
/** Alone, and with a commit before each request, which makes every cached answer void. */
const ways = [
  { name: '', least: 0.6 },
  { name: ', a commit before each', least: 0.35, commits: true },
];
const paths = {
  '/api/overview': '20 repositories',
  '/api/repositories/': '20 repositories',
  '/api/schedule/': '20 schedules',
  '/api/backup/jobs?limit=200': `200 of ${settings.listedJobs} jobs`,
};

/**
 * Requests per second for what a page of a user interface asks for, compared to a bare express route with the same
 * bytes.
 */
export async function apiThroughput({ folder, say }) {
  const dataDirectory = join(folder, 'api-data');
  mkdirSync(dataDirectory);
  await fill(dataDirectory);
  const service = await startService(dataDirectory);
  const database = new Database(dataDirectory);
  // As the service itself writes.
  await database.all('PRAGMA synchronous = NORMAL');
  const commit = () => database.all('UPDATE repository SET updated_at = updated_at + 1 WHERE id = 1');
  const bare = fork(new URL('../bare-express.mjs', import.meta.url));
  try {
    const api = await signIn(service.url);
    const answers = {};
    for (const path of Object.keys(paths)) answers[path.split('?')[0]] = await api.get(path);
    bare.send(answers);
    const [port] = await once(bare, 'message');
    const rows = [];
    for (const [path, what] of Object.entries(paths)) {
      for (const { name, least, commits } of ways) {
        const before = commits ? commit : async () => {};
        const pairs = [];
        for (let round = 0; round <= rounds; round++) {
          const theirs = await requestsPerSecond(`http://127.0.0.1:${port}`, { path, before });
          const ours = await requestsPerSecond(service.url, { path, before, headers: api.headers });
          if (round > 0) pairs.push({ ours, theirs, ratio: ours / theirs });
        }
        const ratio = median(pairs.map((pair) => pair.ratio));
        const [ours, theirs] = ['ours', 'theirs'].map((side) => median(pairs.map((pair) => pair[side])));
        say(`GET ${path}${name}: ${ours.toFixed(0)} requests per second, bare express ${theirs.toFixed(0)}`);
        rows.push({
          what: `GET ${path.split('?')[0]} (${what}${name}), requests per second ÷ bare express`,
          measured: ratio.toFixed(2),
          limit: `≥ ${least.toFixed(2)}`,
          passed: ratio >= least,
        });
      }
    }
    return rows;
  } finally {
    bare.kill();
    await service.stop();
    await database.close();
  }
}

async function requestsPerSecond(origin, { path, before, headers = {} }) {
  const clients = Array.from({ length: connections }, () => new Client(origin));
  const end = performance.now() + roundMs;
  const began = performance.now();
  let count = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await before();
        const { statusCode, body } = await client.request({ path, method: 'GET', headers });
        await body.dump({ limit: 1e9 });
        if (statusCode !== 200) throw new Error(`GET ${origin}${path}: ${statusCode}`);
        count++;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(clients.map((client) => client.close()));
  return count / seconds;
}

/** Creates rows from a real repository, schedule and job, while the service is stopped. */
async function fill(dataDirectory) {
  const service = await startService(dataDirectory);
  const api = await signIn(service.url);
  const [path, source] = ['repository', 'source'].map((name) => join(dataDirectory, name));
  mkdirSync(source);
  writeFileSync(join(source, 'file'), 'content');
  await createRepository(api, { name: 'r1', path, source });
  await api.post('/api/schedule/', { name: 's1', repository_id: 1, cron_expression: '0 0 1 1 *' });
  await backUp(api, path);
  await service.stop();
  const database = new Database(dataDirectory);
  const many = 20;
  const own = { name: `'r' || n`, uid: `uid || n`, path: `'/r/' || n`, tool_id: `tool_id || n` };
  await database.multiply('repository', many, own);
  await database.multiply('schedule', many, { name: `'s' || n` });
  await database.multiply('schedule_repository', many, { schedule_id: 'n', repository_id: 'n' });
  await database.multiply('job', settings.listedJobs, {
    ...yearOf(['requested_at', 'started_at', 'completed_at']),
    repository_id: `(n - 1) % ${many} + 1`,
  });
  await database.close();
}
