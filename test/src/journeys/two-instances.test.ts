/** Two services behind one port, on one PostgreSQL, one MongoDB and one Redis. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archived,
  archivesOf,
  backUp,
  contentsOf,
  createRepository,
  download,
  endedJob,
  jobOf,
  type Repository,
  runningJob,
  startBackup,
} from '../actions.js';
import { Api } from '../api.js';
import { HeldSource, onlyFrom } from '../held-source.js';
import { isDeep } from '../lane.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { RoundRobin } from '../services/round-robin.js';
import type { Database } from '../store/database.js';
import { makeEndlessFiles, makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const workspace = makeWorkspace();
const servers: TestServer[] = [];
let proxy: RoundRobin;
let database: Database;
/** Any of the two. */
let api: Api;
let small: string;
let endless: string;
let held: HeldSource;

const portOf = (server: TestServer) => Number(new URL(server.api.baseUrl).port);
const startOne = () => TestServer.start({ workspace, dataDirectory: workspace.folder('data') });
const [one, other] = [() => servers[0] as TestServer, () => servers[1] as TestServer];

beforeAll(async () => {
  // Both at once on an empty database.
  servers.push(...(await Promise.all([startOne(), startOne()])));
  proxy = await RoundRobin.open(() => servers.map(portOf));
  const { token } = await one().login();
  api = new Api(proxy.url).as(token ?? '');
  database = await one().database();
  small = workspace.folder('small');
  makeFiles(small, 60);
  endless = workspace.folder('endless');
  makeEndlessFiles(endless);
  held = new HeldSource(workspace.folder('held'));
});
afterAll(async () => {
  await proxy?.close();
  await database?.close();
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  await servers[0]?.remove();
});

let made = 0;
function repositoryOf(source: string | HeldSource): Promise<Repository> {
  made += 1;
  const name = `repository-${made}`;
  const settings = typeof source === 'string' ? onlyFrom(source) : source.settings;
  return createRepository(api, { name, path: join(workspace.path, name), ...settings });
}

/** The instance that runs the tool on this repository, and the one that does not. */
async function rolesAt({ path }: Repository): Promise<{ runner: TestServer; idle: TestServer }> {
  const look = () => servers.find(({ pid }) => borgProcesses(path).some(({ parent }) => parent === pid));
  const runner = await waitFor(look, { what: `the instance that runs the tool on ${path}`, intervalMs: 20 });
  return { runner, idle: servers.find((server) => server !== runner) as TestServer };
}

const directly = (server: TestServer) => server.api.as(api.token ?? '');

test('performs the main job with each request on the next instance', async () => {
  const repository = await repositoryOf(small);
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const archive = job.archive_name ?? '';
  expect((await archivesOf(api, repository.path)).map(({ name }) => name)).toEqual([archive]);
  const place = { repository: repository.path, archive, path: archived(join(small, 'dir-0000')) };
  const listings = await Promise.all(servers.map((server) => contentsOf(directly(server), place)));
  expect(listings[0]?.length).toBeGreaterThan(0);
  expect(listings[1]).toEqual(listings[0]);
  const file = join(small, 'dir-0000', listings[0]?.[0]?.name ?? '');
  const got = await download(api, { repository: repository.path, archive, path: archived(file) });
  expect(got.bytes.equals(readFileSync(file))).toBe(true);
  for (const server of servers) expect(server.log).toMatch(/"url":"\/api\/backup\/status/);
  const found = await Promise.all(servers.map((server) => directly(server).get('/api/plugins')));
  for (const { body } of found) {
    expect(body.plugins).toContainEqual(expect.objectContaining({ kind: 'storage', id: 'postgres' }));
    expect(body.plugins).toContainEqual(expect.objectContaining({ kind: 'jobs', id: 'mongodb' }));
  }
});

test('runs schedules due at once exactly once on either instance', async () => {
  const repositories = await Promise.all([1, 2, 3, 4].map(() => repositoryOf(small)));
  const schedules: number[] = [];
  for (const { id } of repositories) {
    const cron = { cron_expression: '0 0 1 1 *', catch_up: 'one' };
    const answer = await api.post('/api/schedule/', { name: `yearly-${id}`, repository_id: id, ...cron });
    schedules.push(answer.body.job.id);
  }
  await database.all(`UPDATE schedule SET next_run = ? WHERE id IN (${schedules.join(', ')})`, Date.now());
  const runs = () =>
    database.all<{ id: number; status: string }>(
      `SELECT id, status FROM job WHERE schedule_id IN (${schedules.join(', ')})`,
    );
  const done = async () => (await runs()).filter(({ status }) => status === 'completed').length === 4;
  await waitFor(done, { what: 'the four runs' });
  expect(await runs()).toHaveLength(4);
  for (const { path } of repositories) expect(await archivesOf(api, path)).toHaveLength(1);
});

test('runs drills and checks due at once exactly once on either instance', async () => {
  const repositories = await Promise.all([1, 2, 3].map(() => repositoryOf(small)));
  for (const { id, path } of repositories) {
    await backUp(api, path);
    for (const plan of ['drill-schedule', 'check-schedule']) {
      const answer = await api.put(`/api/repositories/${id}/${plan}`, { cron_expression: '0 0 1 1 *' });
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    }
  }
  for (const plan of ['drill', 'check'])
    await database.all(`UPDATE ${plan}_schedule SET next_run = ?`, Date.now());
  const runs = () =>
    database.all<{ kind: string; status: string }>(
      "SELECT kind, status FROM job WHERE kind IN ('drill', 'check') ORDER BY kind",
    );
  const done = async () => (await runs()).filter(({ status }) => status === 'completed').length === 6;
  await waitFor(done, { what: 'three checks and three drills' });
  expect((await runs()).map(({ kind }) => kind)).toEqual([
    ...Array(3).fill('check'),
    ...Array(3).fill('drill'),
  ]);
});

test('cancels a backup of one instance on the other', async () => {
  const repository = await repositoryOf(endless);
  const id = await startBackup(api, repository.path);
  await runningJob(api, id);
  const { idle } = await rolesAt(repository);
  const answer = await directly(idle).post(`/api/backup/cancel/${id}`);
  expect(answer.status).toBe(200);
  expect((await endedJob(api, id)).status).toBe('cancelled');
  await waitFor(() => borgProcesses(repository.path).length === 0, { what: 'the end of the tool' });
});

test.each(isDeep ? ['the first', 'the second'] : ['the first'])(
  'continues on the other after kill -9 of the busy one, %s time',
  async () => {
    const repository = await repositoryOf(held);
    const id = await startBackup(api, repository.path);
    await held.reached();
    const { runner, idle } = await rolesAt(repository);
    const waiting = await repositoryOf(small);
    await runner.stop('SIGKILL');
    const died = Date.now();
    const next = await startBackup(api, waiting.path);
    expect((await endedJob(api, next)).status).toBe('completed');
    expect((await jobOf(directly(idle), id)).id).toBe(id);
    const job = await endedJob(api, id);
    expect(job.status).toBe('failed');
    expect(job.error_message).toMatch(/^Interrupted/);
    expect(Date.now() - died).toBeLessThan(90_000);
    await waitFor(() => borgProcesses(repository.path).length === 0, { what: 'the end of the tool' });
    await api.put(`/api/repositories/${repository.id}`, onlyFrom(small));
    expect((await backUp(api, repository.path)).status).toBe('completed');
    await runner.launch();
    for (const server of servers) {
      expect((await server.api.get('/health')).body).toMatchObject({ ready: true, degraded: [] });
    }
  },
);

test('leaves no unhandled rejection', () => {
  for (const { log } of [one(), other()]) {
    expect(log).not.toMatch(/unhandled promise rejection|uncaught error/);
  }
});
