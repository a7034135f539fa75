import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '../../../scripts/prepare/run.mjs';
import type { Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { type RedisServer, startRedis } from '../services/redis.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

/** A mark of a killed instance in Redis lives for 10 s; a busy machine takes its time for the listing itself. */
const takenOverWithinMs = 30_000;
const names = Array.from({ length: 10 }, (_, n) => `a${n}`);
const workspace = makeWorkspace();
const calls = join(workspace.path, 'calls');
const hold = join(workspace.path, 'hold');
let redis: RedisServer;
let servers: TestServer[] = [];
let apis: [Api, Api];
let borg: Borg;

beforeAll(async () => {
  redis = await startRedis({ password: 'p@ss' });
  borg = new Borg(join(workspace.path, 'repository'), workspace.folder('base'));
  await borg.run('init', '--encryption', 'none', borg.repository);
  const source = workspace.folder('s');
  writeFileSync(join(source, 'file'), 'x');
  for (const [n, name] of [...names, 'held', 'gone'].entries()) {
    await borg.create(name, Date.UTC(2030, 0, 1 + n), { source });
  }
  // From an index, no listing would need the tool.
  const env = { PATH: `${wrapperFolder()}:${process.env.PATH}`, ...byHost(), INDEX_MAX_MB: '0' };
  servers = await Promise.all([TestServer.start({ env }), TestServer.start({ env })]);
  apis = (await Promise.all(servers.map((server) => server.login()))) as [Api, Api];
  for (const api of apis) {
    const imported = { name: 'shared', path: borg.repository, mode: 'observe' };
    expect((await api.post('/api/repositories/import', imported)).status).toBe(201);
    await api.get('/api/archives/list', of);
  }
}, 60_000);
afterAll(async () => {
  rmSync(hold, { recursive: true, force: true });
  await Promise.all(servers.map((server) => server.remove()));
  await redis?.remove();
  workspace.remove();
});

const of = { repository_id: 1 };
const byHost = () => ({
  KVCACHE_HOST: '127.0.0.1',
  KVCACHE_PORT: `${redis.port}`,
  KVCACHE_DB: '5',
  KVCACHE_PASSWORD: 'p@ss',
});

/** Notes which archives the tool lists; while the file `hold` is there, such a listing waits. */
function wrapperFolder(): string {
  const folder = workspace.folder('bin');
  const real = findProgram('borg');
  const script = `#!/bin/sh
case "$*" in *list*::*) printf '%s\\n' "\${*##*::}" >> '${calls}'; while [ -e '${hold}' ]; do sleep 0.05; done;; esac
exec '${real}' "$@"
`;
  writeFileSync(join(folder, 'borg'), script, { mode: 0o755 });
  writeFileSync(calls, '');
  return folder;
}
const listed = () => readFileSync(calls, 'utf8').trim().split('\n').filter(Boolean).sort();
const contents = (api: Api, archive: string) => api.get(`/api/archives/${archive}/contents`, of);
const stats = async (api: Api) => (await api.get('/api/cache/stats')).body;

test('connects two instances to one Redis by host, port, database and password', async () => {
  for (const api of apis) {
    const look = async () => (await stats(api)).backend === 'redis' && stats(api);
    const found = await waitFor(look, { what: 'Redis in use', timeoutMs: 60_000 });
    expect(found).toMatchObject({ connection_type: 'local', problem: null, redis_fallback: false });
    expect(found.connection_info).toContain(`127.0.0.1:${redis.port}/5`);
    expect(JSON.stringify(found)).not.toContain('p@ss');
  }
});

test('lists each cold archive once for ten users on two instances', async () => {
  const people = Array.from({ length: 10 }, (_, n) => apis[n % 2] as Api);
  const answers = await Promise.all(people.flatMap((api) => names.map((name) => contents(api, name))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.items.length))).toEqual(new Set([1]));
  expect(listed()).toEqual(names);
  expect(await redis.command('INFO', 'keyspace')).toMatch(/db5:keys=\d\d/);
}, 60_000);

test('drops an archive deleted outside with its listing on all instances', async () => {
  const inDatabase5 = `redis.call('SELECT', 5) return redis.call('EXISTS', KEYS[1])`;
  const isKept = async () => (await redis.command('EVAL', inDatabase5, '1', 'archive:1:gone')) === ':1\r\n';
  expect((await contents(apis[0], 'gone')).status).toBe(200);
  await waitFor(isKept, { what: 'the listing in Redis', timeoutMs: 60_000 });
  await borg.delete(['gone']);
  for (const api of apis) {
    // The list of archives is read anew for a name that it doesn't have.
    const look = async () => {
      await contents(api, 'never there');
      return (await contents(api, 'gone')).status === 404;
    };
    await waitFor(look, { what: 'the end of the archive', timeoutMs: 60_000, intervalMs: 500 });
  }
  await waitFor(async () => !(await isKept()), { what: 'the end of its listing', timeoutMs: 60_000 });
}, 40_000);

describe.concurrent('at the same time', () => {
  test('takes over a build when the building instance is killed', async () => {
    mkdirSync(hold);
    const lost = contents(apis[0], 'held').catch(() => null);
    const began = await waitFor(() => listed().includes('held') && performance.now(), { what: 'a build' });
    const waiting = contents(apis[1], 'held');
    const listing = async (api: Api) => (await api.get('/api/archives/held/listing', of)).body;
    expect(await listing(apis[0])).toMatchObject({ state: 'building', entries: 0, percent: null });
    await servers[0]?.stop('SIGKILL');
    rmSync(hold, { recursive: true });
    const answer = await waiting;
    expect(performance.now() - began).toBeLessThan(takenOverWithinMs);
    expect(answer.body).toMatchObject({ total: 1 });
    const isStored = async () => (await listing(apis[1])).percent === 100;
    await waitFor(isStored, { what: 'the stored listing', timeoutMs: 60_000 });
    expect(listed().filter((name) => name === 'held')).toHaveLength(2);
    await lost;
  }, 40_000);

  test('reads the store URL, its password or no store from the environment', async () => {
    const disabled = { ...byHost(), KVCACHE_HOST: 'disabled' };
    const named = { ...disabled, KVCACHE_URL: redis.url };
    const found = await Promise.all([backendOf(named, 'redis'), backendOf(disabled, 'in-memory')]);
    expect(found).toMatchObject([
      { connection_type: 'external_url', redis_fallback: false, problem: null },
      { redis_fallback: false, problem: null },
    ]);
  }, 40_000);
});

async function backendOf(env: Record<string, string>, backend: string) {
  const server = await TestServer.start({ env });
  try {
    const api = await server.login();
    const look = async () => (await stats(api)).backend === backend && stats(api);
    return await waitFor(look, { what: backend, timeoutMs: 60_000 });
  } finally {
    await server.remove();
  }
}
