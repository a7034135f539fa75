/** All parts of the composition with two instances, started by its commands and with its files, on free ports. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import { freePort } from '../../../scripts/services/own-server.mjs';
import { RedisServer } from '../../../scripts/services/redis-server.mjs';
import { archived, backUp, contentsOf, createRepository, endedJob } from '../actions.js';
import { Api } from '../api.js';
import { root } from '../import-check.js';
import { TestServer } from '../server.js';
import { AppriseServer } from '../services/apprise.js';
import { PostgresDatabase } from '../services/postgres-database.js';
import { SmtpSink } from '../services/smtp-sink.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const deploy = join(root, 'examples', 'deploy', 'full');
const read = (name: string) => readFileSync(join(deploy, name), 'utf8');
const metricsToken = randomBytes(16).toString('hex');
const workspace = makeWorkspace();
const children: ChildProcess[] = [];
const servers: TestServer[] = [];
const ends: (() => unknown)[] = [];
let prometheus: string;
let proxy: Api;
let api: Api;

function run(variable: string, parameters: string[], env: Record<string, string> = {}): void {
  const program = process.env[variable];
  if (!program) throw new Error(`${variable} names no program; run the tests by npm test.`);
  const home = { HOME: workspace.path, XDG_DATA_HOME: workspace.path, XDG_CONFIG_HOME: workspace.path };
  children.push(spawn(program, parameters, { env: { ...home, ...env }, stdio: 'ignore' }));
}

const placeOf = (server: TestServer) => new URL(server.api.baseUrl).host;
const withPlaces = (text: string) =>
  servers.reduce((all, server, n) => all.replace(`instance-${'ab'[n]}:8081`, placeOf(server)), text);
const isThere = (url: string) => () =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** By the variables of the composition, with the addresses of this machine. */
async function startInstances(): Promise<void> {
  const database = new PostgresDatabase();
  ends.push(() => database.drop());
  const mongo = await MongoServer.start(process.env.TEST_MONGOD ?? '');
  ends.push(() => mongo.remove());
  const settings = ['--maxmemory', '512mb', '--maxmemory-policy', 'allkeys-lru'];
  expect(read('compose.yaml')).toContain(`[redis-server, --save, "", ${settings.join(', ')}]`);
  const redis = await RedisServer.start(process.env.TEST_REDIS_SERVER, { settings });
  ends.push(() => redis.remove());
  const apprise = await AppriseServer.start();
  ends.push(() => apprise.stop());
  const env = {
    DATABASE_URL: database.url,
    MONGODB_URI: mongo.uri,
    KVCACHE_URL: redis.url,
    APPRISE_API_URL: apprise.url,
    METRICS_TOKEN: metricsToken,
    SECRET_KEY: randomBytes(24).toString('hex'),
  };
  const start = (name: string) => TestServer.start({ dataDirectory: workspace.folder(name), env });
  servers.push(...(await Promise.all([start('data-a'), start('data-b')])));
}

async function startProxy(): Promise<void> {
  const address = `http://127.0.0.1:${await freePort()}`;
  const file = join(workspace.path, 'Caddyfile');
  // The page of Caddy's own administration would be on a fixed port.
  writeFileSync(file, `{\n\tadmin off\n}\n${withPlaces(read('Caddyfile'))}`);
  run('HOLDFAST_CADDY', ['run', '--adapter', 'caddyfile', '--config', file], { HOLDFAST_ADDRESS: address });
  proxy = new Api(address);
  await waitFor(isThere(`${address}/health`), { what: 'the proxy' });
}

async function startPrometheus(): Promise<void> {
  const token = join(workspace.path, 'metrics_token');
  writeFileSync(token, metricsToken);
  const text = withPlaces(read('prometheus.yml')).replace('/run/secrets/metrics_token', token);
  // Not half a minute for each figure.
  writeFileSync(join(workspace.path, 'prometheus.yml'), text.replaceAll('_interval: 30s', '_interval: 1s'));
  const rules = 'holdfast-alerts.yml';
  copyFileSync(join(root, 'examples', 'monitoring', rules), join(workspace.path, rules));
  const port = await freePort();
  prometheus = `http://127.0.0.1:${port}`;
  run('HOLDFAST_PROMETHEUS', [
    `--config.file=${join(workspace.path, 'prometheus.yml')}`,
    `--storage.tsdb.path=${workspace.folder('prometheus')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  await waitFor(isThere(`${prometheus}/-/ready`), { what: 'Prometheus' });
}

beforeAll(async () => {
  await startInstances();
  await Promise.all([startProxy(), startPrometheus()]);
  const { token } = await (servers[0] as TestServer).login();
  api = proxy.as(token ?? '');
}, 120_000);
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  for (const end of ends.reverse()) await end();
  workspace.remove();
});

/** The value of a query for each instance. */
async function valuesOf(query: string): Promise<Record<string, string>> {
  const answer = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await answer.json()) as {
    data: { result: { metric: { instance: string }; value: [number, string] }[] };
  };
  return Object.fromEntries(data.result.map(({ metric, value }) => [metric.instance, value[1]]));
}
const everywhere = (values: [string, string]) =>
  Object.fromEntries(servers.map((server, n) => [placeOf(server), values[n]]));
const untilValues = (query: string, expected: object) =>
  waitFor(async () => isDeepStrictEqual(await valuesOf(query), expected), {
    what: `${query} ${JSON.stringify(expected)}`,
    timeoutMs: 30_000,
  });

test('runs the main job through the proxy, with both instances in Prometheus', async () => {
  const source = workspace.folder('source');
  makeFiles(source, 10);
  const path = join(workspace.path, 'repository');
  await createRepository(api, { name: 'home', path, source_directories: [source] });
  const { status, archive_name } = await backUp(api, path);
  expect(status).toBe('completed');
  const place = { repository: path, archive: archive_name ?? '', path: archived(source) };
  expect((await contentsOf(api, place)).length).toBeGreaterThan(0);
  const health = (await proxy.get('/health')).body;
  expect(health).toMatchObject({ status: 'healthy', degraded: [] });
  for (const server of servers)
    expect(server.log).toMatch(/"url":"\/api\/backup\/status|"url":"\/api\/archives/);

  await untilValues('up{job="holdfast"}', everywhere(['1', '1']));
  await untilValues('bk_repository_archive_count{repository="home"}', everywhere(['1', '1']));
  const { data } = (await (await fetch(`${prometheus}/api/v1/rules`)).json()) as {
    data: { groups: { rules: { health: string }[] }[] };
  };
  const rules = data.groups.flatMap(({ rules }) => rules.map(({ health }) => health));
  expect(rules.length).toBeGreaterThan(3);
  expect(rules).not.toContain('err');
});

test('metrics stay inside, and the token is asked for', async () => {
  expect((await proxy.get('/metrics')).status).toBe(404);
  for (const server of servers) expect((await server.api.get('/metrics')).status).toBe(401);
});

test('sends mail through the Apprise server', async () => {
  const mails = await SmtpSink.open();
  ends.push(() => mails.close());
  const far = `smtp=127.0.0.1&port=${mails.port}&mode=insecure&via=apprise`;
  const service_url = `mailto://home.test?${far}&to=ops@home.test&from=holdfast@home.test`;
  const tried = await api.post('/api/notifications/test', { service_url });
  expect(tried.body).toMatchObject({ success: true });
  expect((await mails.taken(1)).flatMap(({ to }) => to)).toEqual(['ops@home.test']);
});

test('survives a killed instance and shows it in Prometheus', async () => {
  await servers[1]?.stop('SIGKILL');
  const asked = await Promise.all(Array.from({ length: 20 }, () => api.get('/api/repositories/')));
  expect(asked.map(({ status }) => status)).toEqual(Array(20).fill(200));
  await untilValues('up{job="holdfast"}', everywhere(['1', '0']));
  // The proxy may still hand a call to the dead one: who gets no answer of the service asks again with the same key.
  const start = () =>
    api.request('POST', '/api/backup/start', {
      json: { repository: join(workspace.path, 'repository') },
      headers: { 'idempotency-key': 'after-the-kill' },
    });
  const begun = await waitFor(
    async () => {
      const answer = await start();
      return answer.status === 200 && answer;
    },
    { what: 'an answer to the start of a backup' },
  );
  expect(await endedJob(api, begun.body.job_id)).toMatchObject({ status: 'completed' });
});
