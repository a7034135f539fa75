import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'undici';
import { settings } from './settings.mjs';
import { median } from './statistics.mjs';

const connections = 10;
const rounds = 5;
const roundMs = settings.roundSeconds * 1000;

/**
 * Requests per second for each of the paths, compared to a bare express route with the same bytes. With a `database` of
 * the service also with a commit before each request, which makes every cached answer void.
 */
export async function againstExpress({ service, api, paths, say, database }) {
  // As the service itself writes.
  await database?.all('PRAGMA synchronous = NORMAL');
  const commit = () => database.all('UPDATE repository SET updated_at = updated_at + 1 WHERE id = 1');
  const ways = [
    { name: '', least: 0.6, before: async () => {} },
    ...(database ? [{ name: ', a commit before each', least: 0.35, before: commit }] : []),
  ];
  const bare = fork(new URL('./bare-express.mjs', import.meta.url));
  try {
    const answers = {};
    for (const path of Object.keys(paths)) answers[path.split('?')[0]] = await api.get(path);
    bare.send(answers);
    const [port] = await once(bare, 'message');
    const rows = [];
    for (const [path, what] of Object.entries(paths)) {
      for (const { name, least, before } of ways) {
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
