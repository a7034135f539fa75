/** A service with few files that it may open, and with little memory. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, startBackup } from '../actions.js';
import type { Answer, Api } from '../api.js';
import { TestServer } from '../server.js';
import { SqliteDatabase } from '../store/sqlite-database.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { expectSound, type SystemUnderTest } from './invariants.js';

const files = 8_000;
/** For requests; the tool wants more for its pipes. */
const spare = 5;
let server: TestServer;
let api: Api;
let system: SystemUnderTest;
let path: string;

beforeAll(async () => {
  server = await TestServer.start({ env: { NODE_OPTIONS: '--max-old-space-size=72' } });
  api = await server.login();
  const source = server.workspace.folder('source');
  makeFiles(source, files, 1);
  path = join(server.workspace.path, 'repository');
  const repository = await createRepository(api, { name: 'r', path, source_directories: [source] });
  const database = await SqliteDatabase.open(join(server.dataDirectory, 'holdfast.db'));
  system = { server, api, database, repository, accepted: [] };
});
afterAll(async () => {
  await (system?.database as SqliteDatabase | undefined)?.close();
  await server?.remove();
});

/** Also of what runs. */
const setLimit = (count: number) => execFileSync('prlimit', [`--pid=${server.pid}`, `--nofile=${count}:`]);

test('fails the job, then requests, without open files, and recovers afterwards', async () => {
  await backUp(api, path);
  setLimit(readdirSync(`/proc/${server.pid}/fd`).length + spare);
  const job = await backUp(api, path);
  expect([job.status, job.error_message]).toEqual(['failed', expect.stringMatching(/too many open files/)]);

  const waiting = await startBackup(api, path);
  system.accepted.push(job.id, waiting);
  const port = Number(new URL(api.baseUrl).port);
  const crowd: Socket[] = Array.from({ length: 3 * spare }, () =>
    connect(port, '127.0.0.1').on('error', () => {}),
  );
  await waitFor(() => crowd.some(({ destroyed }) => destroyed), { what: 'a caller that is sent away' });
  for (const socket of crowd) socket.destroy();
  setLimit(4_096);
  await waitFor(
    () =>
      api.get('/health').then(
        () => true,
        () => false,
      ),
    { what: 'an answer', timeoutMs: 60_000 },
  );
  await expectSound(system);
});

test('serves large listings within little memory, or recovers with the next start', async () => {
  const archive = (await backUp(api, path)).archive_name ?? '';
  await api.post('/api/cache/clear');
  const get = (what: string, query: Record<string, string>) =>
    api.get(`/api/archives/${archive}/${what}`, { repository: path, ...query }).catch(() => null);
  const inside = server.workspace.path.slice(1);
  const asked = Array.from({ length: 8 }, (_, n) =>
    n % 2 === 0
      ? get('search', { query: `file-0${n}` })
      : get('contents', { path: `${inside}/source/dir-000${n}` }),
  );
  const answers: (Answer | null)[] = await Promise.all(asked);
  const alive = await server.api.get('/health').then(
    () => true,
    () => false,
  );
  if (alive) {
    expect(answers.map((answer) => answer?.status)).toEqual(Array(8).fill(200));
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
    expect(Number(peak) / 1024).toBeLessThan(450);
  } else await server.restart('SIGKILL');
  await expectSound(system);
});
