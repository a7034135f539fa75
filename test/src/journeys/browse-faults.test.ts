import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { type RedisServer, startRedis } from '../services/redis.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

/** `BROWSE_SECONDS=15` makes four faults a minute. */
const faultMs = Number(process.env.BROWSE_SECONDS || 2) * 1000;
const archives = 4;
const folders = 20;
let redis: RedisServer;
let server: TestServer;
let api: Api;
let borg: Borg;
let inside: string;
const expected = new Map<string, string>();

beforeAll(async () => {
  redis = await startRedis();
  server = await TestServer.start({ env: { KVCACHE_URL: redis.url } });
  api = await server.login();
  const source = server.workspace.folder('s');
  inside = source.slice(1);
  makeFiles(source, folders * 100, 10);
  borg = new Borg(join(server.workspace.path, 'repository'), server.workspace.folder('base'));
  await borg.run('init', '--encryption', 'none', borg.repository);
  for (let n = 0; n < archives; n++) {
    writeFileSync(join(source, 'dir-0000', `only in ${n}`), 'x');
    await borg.create(`a${n}`, Date.UTC(2030, 0, 1 + n), { source });
  }
  await api.post('/api/repositories/import', { name: 'faults', path: borg.repository, mode: 'observe' });
  for (let n = 0; n < archives; n++) {
    for (let folder = 0; folder < folders; folder++) {
      const output = await namesByBorg(n, folder);
      expected.set(`a${n} ${folder}`, output);
    }
  }
}, 120_000);
afterAll(async () => {
  await server?.remove();
  await redis?.remove();
});

const listed = new Map<number, string[]>();
async function namesByBorg(n: number, folder: number): Promise<string> {
  const paths = listed.get(n) ?? (await borg.run('list', '--short', `${borg.repository}::a${n}`)).split('\n');
  listed.set(n, paths);
  const prefix = `${inside}/${nameOf(folder)}/`;
  const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  return below.sort().join('\n');
}
const nameOf = (folder: number) => `dir-${String(folder).padStart(4, '0')}`;

const stats = async () => (await api.get('/api/cache/stats')).body;
const browse = (n: number, folder: number): Promise<Answer> =>
  api.get(`/api/archives/a${n}/contents`, { repository_id: 1, path: `${inside}/${nameOf(folder)}` });

/** Ten people who browse without a pause; what was wrong, and their waits, come in the end. */
function browsers() {
  const state = { stop: false, wrong: [] as string[], waits: [] as number[], cold: [] as number[] };
  const one = async (seed: number) => {
    for (let step = seed; !state.stop; step += 7) {
      const [n, folder] = [step % archives, step % folders];
      const began = performance.now();
      const answer = await browse(n, folder);
      state.waits.push(performance.now() - began);
      const names = answer.body?.items?.map(({ name }: { name: string }) => name).sort();
      if (answer.status !== 200 || names.join('\n') !== expected.get(`a${n} ${folder}`)) {
        state.wrong.push(`${answer.status} a${n} ${folder}: ${answer.text.slice(0, 200)}`);
      }
      await pause(20);
    }
  };
  const all = Promise.all(Array.from({ length: 10 }, (_, seed) => one(seed)));
  return {
    state,
    end: async () => {
      state.stop = true;
      await all;
      return state;
    },
  };
}

const becomes = (backend: string, timeoutMs = 15_000) =>
  waitFor(async () => (await stats()).backend === backend && stats(), {
    what: `backend ${backend}`,
    timeoutMs,
  });

test('lists each cold archive once for ten browsers', async () => {
  await becomes('redis');
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => browse(n % archives, n % folders)));
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  await waitFor(async () => (await stats()).entry_count >= 2 * archives, {
    what: 'all listings',
    timeoutMs: 60_000,
  });
}, 60_000);

describe('Redis with ten browsing users', () => {
  const keptAgain = async () => {
    await api.post('/api/cache/clear');
    await browse(0, 1);
    const look = async () => (await redis.command('EXISTS', 'archive:1:a0')).startsWith(':1');
    await waitFor(look, { what: 'a listing in Redis again', timeoutMs: 60_000 });
  };

  const during = async (fault: () => unknown, check: () => Promise<unknown>) => {
    const crowd = browsers();
    await fault();
    await check();
    await pause(faultMs);
    return crowd;
  };

  const without = async (crowd: ReturnType<typeof browsers>) => {
    await keptAgain();
    await waitFor(() => crowd.state.waits.length > 20, { what: 'answers for all' });
    expect((await crowd.end()).wrong).toEqual([]);
  };

  test('is killed and replaced by memory until it is back', async () => {
    const crowd = await during(
      () => redis.stop('SIGKILL'),
      async () => expect(await becomes('in-memory')).toMatchObject({ redis_fallback: true }),
    );
    await redis.launch();
    await becomes('redis');
    await without(crowd);
  }, 60_000);

  test('hangs', async () => {
    await api.post('/api/cache/clear');
    const crowd = await during(
      () => redis.freeze(),
      async () => expect(await becomes('in-memory')).toMatchObject({ redis_fallback: true }),
    );
    redis.signal('SIGCONT');
    await becomes('redis');
    await without(crowd);
  }, 60_000);

  test('is full', async () => {
    const crowd = await during(
      () => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
      async () =>
        expect(await becomes('in-memory')).toMatchObject({ problem: expect.stringContaining('OOM') }),
    );
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await becomes('redis');
    await without(crowd);
  }, 60_000);

  test('forgets everything', async () => {
    const crowd = await during(
      () => redis.command('FLUSHALL'),
      async () => expect(await becomes('redis')).toMatchObject({ problem: null }),
    );
    await without(crowd);
  }, 60_000);
});

test('answers a cold browse while Redis hangs', async () => {
  await becomes('redis');
  await api.post('/api/cache/clear');
  await redis.freeze();
  expect((await browse(1, 1)).status).toBe(200);
  redis.signal('SIGCONT');
}, 60_000);
