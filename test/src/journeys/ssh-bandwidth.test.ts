import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, endedJob, type Repository, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { allProcesses, borgProcesses, killAll } from '../processes.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, quickSetup } from '../ssh-actions.js';
import { makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let connection: Connection;
let repositories: Repository[];

const create = (name: string, more: object) =>
  createRepository(api, { name, path: join(sshd.home, name), compression: 'none', ...more });

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start()]);
  api = await server.login();
  connection = await quickSetup(api, sshd);
  repositories = await Promise.all(
    ['first', 'second'].map((name) => {
      const source = server.workspace.folder(name);
      // In small files: the speed of whole chunks would be measured otherwise.
      makeRandomFiles(source, 180, 0.25);
      return create(name, { connection_id: connection.id, source_directories: [source] });
    }),
  );
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const limit = async (bandwidth: object | null) => {
  const { body } = await connectionActions(api, connection.id).update({ bandwidth });
  expect(body).toMatchObject({ success: true, connection: { bandwidth } });
};

/** Bytes that borg has written on the host. */
const arrived = () =>
  repositories
    .flatMap(({ name }) => {
      const data = join(sshd.home, name, 'data');
      return readdirSync(data, { recursive: true }).map((file) => join(data, String(file)));
    })
    .reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);

async function speedOver(ms: number): Promise<number> {
  const [before, start] = [arrived(), performance.now()];
  await pause(ms);
  return ((arrived() - before) * 1000) / (performance.now() - start);
}

/** Milliseconds. With it, the speed is measured exactly, on a machine that does nothing else. */
const measuredMs = Number(process.env.TEST_BANDWIDTH_MS ?? 0);
const [most, least] = measuredMs > 0 ? [1.05, 0.95] : [1.25, 0];

function expectNear(speed: number, limited: number): void {
  expect(speed / limited).toBeLessThan(most);
  expect(speed / limited).toBeGreaterThan(least);
}

const guards = () => allProcesses().filter(({ command }) => command.includes('kill -CONT'));
const isOurs = ({ command }: { command: string }) =>
  command.startsWith('ssh ') && command.includes(`${sshd.username}@`);
const stopped = () => allProcesses().filter((each) => each.state === 'T' && isOurs(each));

async function start(): Promise<number[]> {
  const before = arrived();
  const ids = await Promise.all(repositories.map(({ path }) => startBackup(api, path)));
  const what = 'data on the host';
  await waitFor(() => arrived() > before + 3_000_000, { what, timeoutMs: 60_000 });
  return ids;
}

test('keeps two parallel backups within a limit that changes meanwhile', async () => {
  await limit({ bytes_per_second: 3_000_000, hours: [], timezone: 'UTC' });
  const ids = await start();
  await pause(3000); // Until nothing is owed from the beginning.
  expectNear(await speedOver(measuredMs || 5_000), 3e6);
  expect(guards()).toHaveLength(2);

  const rest = { bytes_per_second: 6_000_000 };
  const hours = [
    { from: '23:00', to: '11:00', ...rest },
    { from: '11:00', to: '23:00', ...rest },
  ];
  await limit({ bytes_per_second: null, hours, timezone: 'Europe/Berlin' });
  await pause(4000);
  expectNear(await speedOver(5_000), 6e6);
  await waitFor(async () => (await speedOver(1_000)) > 3.5e6, {
    what: 'the higher limit',
    timeoutMs: 60_000,
  });

  await limit(null);
  const jobs = await Promise.all(ids.map((id) => endedJob(api, id, 120_000)));
  expect(jobs.map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect([guards(), stopped()]).toEqual([[], []]);
});

test('limits the data of a host that is backed up', async () => {
  makeRandomFiles(sshd.ownFolder('data'), 12, 1);
  const path = join(server.workspace.path, 'pulled');
  const of = { source_connection_id: connection.id, source_directories: [join(sshd.home, 'data')] };
  const repository = await create('pulled', { path, ...of });
  await limit({ bytes_per_second: 3_000_000, hours: [], timezone: 'UTC' });
  const begin = performance.now();
  expect(await backUp(api, repository.path)).toMatchObject({ status: 'completed' });
  expect(performance.now() - begin).toBeGreaterThan(3000);
});

test('leaves no process after kill -9 of the guards and the service', async () => {
  await limit({ bytes_per_second: 100_000, hours: [], timezone: 'UTC' });
  await Promise.all(
    repositories.map(async ({ id }, at) => {
      const source = server.workspace.folder(`more-${at}`);
      makeRandomFiles(source, 10, 4);
      await api.put(`/api/repositories/${id}`, { source_directories: [source] });
    }),
  );
  await Promise.all(repositories.map(({ path }) => startBackup(api, path)));
  await waitFor(() => stopped().length === 2, { what: 'held connections' });
  const first = guards();
  killAll(first);
  const pids = new Set(first.map(({ pid }) => pid));
  const renewed = () => guards().length === 2 && guards().every(({ pid }) => !pids.has(pid));
  await waitFor(() => renewed() && stopped().length === 2, { what: 'other guards' });
  await server.stop('SIGKILL');
  const left = () => [...guards(), ...allProcesses().filter(isOurs), ...borgProcesses(server.workspace.path)];
  await waitFor(() => left().length === 0, { what: 'the end of all processes', timeoutMs: 60_000 });
});
