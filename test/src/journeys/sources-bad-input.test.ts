/** Databases and containers that fail a backup, each in its own way. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PodmanEngine } from '../../../scripts/services/podman.mjs';
import {
  archivesOf,
  backUp,
  contentsOf,
  createRepository,
  endedJob,
  type Job,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { descendantsOf } from '../processes.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { type PostgresServer, startPostgres } from '../services/postgres.js';
import { waitFor } from '../wait-for.js';

const odd = `two\nlines "it's" \`a\` $(touch pwned) *`;
const rows = 300_000;
const stalledSeconds = 6;

let postgres: PostgresServer;
let engine: PodmanEngine;
let server: TestServer;
let api: Api;
let folder: string;
/** Links to all programs of this machine, where a test may take one away. */
let programs: string;

beforeAll(async () => {
  [postgres, engine] = await Promise.all([startPostgres(), PodmanEngine.start()]);
  postgres.sql(`CREATE ROLE backup SUPERUSER LOGIN PASSWORD 'first'`);
  postgres.sql('CREATE DATABASE orders');
  postgres.sql(
    `CREATE TABLE orders AS SELECT n, md5(n::text) || md5((-n)::text) FROM generate_series(1, ${rows}) n`,
    'orders',
  );
  const path = join(postgres.folder, 'programs');
  programs = path;
  mkdirSync(programs);
  for (const from of (process.env.PATH ?? '').split(':').filter(existsSync))
    for (const name of readdirSync(from))
      if (!existsSync(join(programs, name))) symlinkSync(join(from, name), join(programs, name));
  server = await TestServer.start({
    env: {
      PATH: programs,
      PLUGIN_SOURCE_CONTAINER_SOCKET: engine.socket,
      STALLED_PULL_SECONDS: `${stalledSeconds}`,
    },
  });
  api = await server.login();
  folder = server.workspace.folder('source');
  writeFileSync(join(folder, 'ann.txt'), 'Dear Ann');
});
afterAll(async () => {
  await server?.remove();
  await engine?.remove();
  await postgres?.remove();
});
afterEach(() => void postgres?.sql(`ALTER ROLE backup PASSWORD 'first'`));

const orders = (more: Record<string, string> = {}) => ({
  kind: 'postgresql',
  name: 'orders',
  settings: {
    host: '127.0.0.1',
    port: `${postgres.port}`,
    user: 'backup',
    password: 'first',
    databases: 'orders',
    ...more,
  },
});
const stopped = (name: string, more: Record<string, string> = {}) => ({
  kind: 'container',
  name,
  settings: { stop: name, ...more },
});

async function repositoryWith(name: string, ...sources: object[]): Promise<string> {
  const path = server.workspace.folder('repositories', name);
  await createRepository(api, { name, path, source_directories: [folder], sources });
  return path;
}

const dumping = () => descendantsOf(server.pid).find(({ command }) => /^\S*pg_dump -Fc/.test(command))?.pid;

/** Starts a backup, and waits until a part of its dump was sent. */
async function inDump(path: string): Promise<number> {
  const id = await startBackup(api, path);
  const hasSent = () => {
    const pid = dumping();
    return pid && Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]) > 1_000_000;
  };
  await waitFor(hasSent, { what: 'a part of the dump', intervalMs: 10 });
  return id;
}

async function namesIn(path: string, archive: string, inside: string): Promise<string[]> {
  return (await contentsOf(api, { repository: path, archive, path: inside })).map(({ name }) => name);
}

/** Failed with these words, and with the files but without any dump in the archive. */
async function expectFilesOnly(path: string, job: Job, words: RegExp): Promise<void> {
  expect([job.status, job.error_message]).toEqual(['failed', expect.stringMatching(words)]);
  const [archive, ...others] = await archivesOf(api, path);
  expect(others).toEqual([]);
  expect(await namesIn(path, archive?.name ?? '', folder.slice(1))).toContain('ann.txt');
  expect(await namesIn(path, archive?.name ?? '', '')).not.toContain('holdfast-sources');
}

const stateOf = (name: string) => engine.podman('inspect', '--format', '{{.State.Status}}', name);
const obeys = 'trap "exit 0" TERM; sleep 1000 & wait';
const start = (name: string, script = obeys) =>
  engine.container(name, { options: ['-v', `${name}:/data`], command: ['sh', '-c', script] });

async function logOf({ id }: Job): Promise<string> {
  const { body } = await api.get(`/api/backup/logs/${id}/stream`);
  return body.lines.map((line: { content: string }) => line.content).join('\n');
}

/** Keeps a table locked until the returned function is called. */
async function locked(): Promise<() => Promise<void>> {
  const env = { ...process.env, PGHOST: postgres.socketFolder, PGPORT: `${postgres.port}` };
  const holder = spawn('psql', ['-XAtqU', 'postgres', 'orders'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.write(`BEGIN; LOCK orders; SELECT 'locked';\n`);
  await once(holder.stdout, 'data');
  return async () => {
    holder.stdin.end();
    await once(holder, 'close');
  };
}

test('fails and names the source when its password has changed', async () => {
  const path = await repositoryWith('password', orders());
  postgres.sql(`ALTER ROLE backup PASSWORD 'second'`);
  const job = await backUp(api, path);
  await expectFilesOnly(
    path,
    job,
    /^orders is not protected by this backup: .*password authentication failed/,
  );
  expect(`${job.error_message} ${await logOf(job)}`).not.toContain('first');
});

test('keeps no half dump when the server stops', async () => {
  const path = await repositoryWith('stopped', orders());
  const id = await inDump(path);
  await postgres.stop('SIGQUIT');
  const job = await endedJob(api, id);
  await postgres.launch();
  await expectFilesOnly(path, job, /^orders is not protected by this backup: .*exit code 1/);
  expect(await logOf(job)).toMatch(/terminat|closed the connection|Error message from server/);
});

test('keeps no half dump when the service is killed', async () => {
  const path = await repositoryWith('killed', orders());
  const id = await inDump(path);
  await server.stop('SIGKILL');
  await server.launch();
  expect((await endedJob(api, id)).status).toBe('failed');
  expect(await backUp(api, path)).toMatchObject({ status: 'completed', error_message: null });
  expect(await archivesOf(api, path)).toHaveLength(1);
});

test('stops a dump that waits for a locked table, and starts the container', async () => {
  start('waits');
  const path = await repositoryWith('locked', stopped('waits'), orders());
  const unlock = await locked();
  const job = await backUp(api, path);
  await expectFilesOnly(path, job, /^orders is not protected by this backup: .*sent nothing for 6 s/);
  expect([dumping(), stateOf('waits')]).toEqual([undefined, 'running']);
  await unlock();
  expect(await backUp(api, path)).toMatchObject({ status: 'completed', error_message: null });
});

test('kills a container that does not stop, says so, and starts it again', async () => {
  start('stubborn', 'trap "" TERM; while :; do sleep 1; done');
  const path = await repositoryWith('stubborn', stopped('stubborn', { stop_seconds: '1' }));
  const job = await backUp(api, path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(await logOf(job)).toContain('Container stubborn did not stop in time and was killed');
  expect(stateOf('stubborn')).toBe('running');
});

test('names a container that vanished, and starts the others again', async () => {
  for (const name of ['left', 'vanishes']) start(name);
  const held = (name: string) => stopped(name, { volumes: `${name}:/data` });
  const path = await repositoryWith('vanished', held('left'), held('vanishes'), orders());
  const id = await inDump(path);
  expect(stateOf('left')).not.toBe('running');
  engine.podman('rm', '--force', '--time=0', 'vanishes');
  const job = await endedJob(api, id);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(await logOf(job)).toContain('Container vanishes is gone, so it was not started again.');
  expect(stateOf('left')).toBe('running');
  const next = await backUp(api, path);
  expect([next.status, next.error_message]).toEqual([
    'failed',
    expect.stringMatching(/^vanishes is not protected by this backup: There is no container vanishes/),
  ]);
  expect(stateOf('left')).toBe('running');
});

test('dumps and restores databases with odd names', async () => {
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  postgres.sql(`CREATE DATABASE ${quoted(odd)}`);
  postgres.sql('CREATE TABLE customers AS SELECT 1', odd);
  const file = join(server.workspace.folder('odd'), `${odd}.db`);
  execFileSync('sqlite3', [file, 'CREATE TABLE customers (name)']);
  const mariadb = new URL(process.env.TEST_MARIADB_URL ?? '');
  const password = decodeURIComponent(mariadb.password);
  const at = { host: mariadb.hostname, port: mariadb.port, user: mariadb.username };
  const maria = (sql: string) =>
    execFileSync('mariadb', ['--no-defaults', `-h${at.host}`, `-P${at.port}`, `-u${at.user}`, '-BN'], {
      env: { ...process.env, MYSQL_PWD: password },
      input: sql,
      encoding: 'utf8',
    }).trim();
  const ticked = `\`${odd.replaceAll('`', '``')}\``;
  maria(`CREATE DATABASE ${ticked}; CREATE TABLE ${ticked}.customers SELECT 1`);
  try {
    const path = await repositoryWith(
      'odd',
      orders({ databases: '' }),
      { kind: 'sqlite', name: odd.replace('\n', ' '), settings: { files: join(file, '../*.db') } },
      { kind: 'mysql', name: 'all', settings: { ...at, password } },
    );
    const job = await backUp(api, path);
    expect([job.status, job.error_message]).toEqual(['completed', null]);
    const dumps = async (of: string) =>
      (await namesIn(path, job.archive_name ?? '', `holdfast-sources/${of}`)).map(decodeURIComponent);
    expect(await dumps('postgresql/orders')).toContain(`${odd}.dump`);
    expect(await dumps('mysql/all')).toContain(`${odd}.sql`);
    const [source = ''] = await namesIn(path, job.archive_name ?? '', 'holdfast-sources/sqlite');
    const [dump] = await contentsOf(api, {
      repository: path,
      archive: job.archive_name ?? '',
      path: `holdfast-sources/sqlite/${source}`,
    });
    expect(decodeURIComponent(dump?.name ?? '')).toBe(file);
    const back = async (inArchive: string, into: string) => {
      const input = { repository: path, archive: job.archive_name, path: inArchive, into };
      const ended = await endedRestore(api, await api.post('/api/restore/dump', input));
      expect([ended.status, ended.error_message]).toEqual(['completed', null]);
    };
    await back(dump?.path ?? '', `${file}.back`);
    expect(execFileSync('sqlite3', [`${file}.back`, '.tables'], { encoding: 'utf8' })).toContain('customers');
    const [pg] = (
      await contentsOf(api, {
        repository: path,
        archive: job.archive_name ?? '',
        path: 'holdfast-sources/postgresql/orders',
      })
    ).filter(({ name }) => decodeURIComponent(name) === `${odd}.dump`);
    await back(pg?.path ?? '', `new ${odd}`);
    expect(postgres.sql('SELECT count(*) FROM customers', `new ${odd}`)).toBe('1');
    expect(existsSync(join(server.workspace.path, 'pwned'))).toBe(false);
  } finally {
    maria(`DROP DATABASE ${ticked}`);
  }
});

test.each([
  ['mysql', 'mariadb-dump', 'mysqldump', /has no mariadb-dump or mysqldump: install the client programs/],
  ['postgresql', 'pg_dump', 'psql', /has no pg_dump: install the client programs of PostgreSQL/],
  ['sqlite', 'sqlite3', 'sqlite3', /has no sqlite3: install the package sqlite3/],
])('names the missing program of a %s source', async (kind, program, other, words) => {
  const links = [program, other].map((name) => join(programs, name));
  for (const link of links) rmSync(link, { force: true });
  try {
    const source = { kind, name: 'tool', settings: kind === 'sqlite' ? { files: '/srv/*.db' } : {} };
    const path = await repositoryWith(`without-${kind}`, source);
    await expectFilesOnly(path, await backUp(api, path), words);
    const { body } = await api.post('/api/sources/check', { source });
    expect(body.findings).toContainEqual(expect.objectContaining({ status: 'failed' }));
  } finally {
    for (const name of new Set([program, other])) {
      const from = (process.env.PATH ?? '').split(':').find((one) => existsSync(join(one, name)));
      if (from) symlinkSync(join(from, name), join(programs, name));
    }
  }
});

test.each([
  ['prints nothing', 'exit 0', /is empty/],
  ['ends early', 'echo "-- half"; exit 0', /ends early: its end mark is missing/],
])('keeps no dump of a program that %s', async (what, script, words) => {
  const link = join(programs, 'pg_dumpall');
  rmSync(link);
  writeFileSync(link, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  try {
    const path = await repositoryWith(what, orders());
    await expectFilesOnly(path, await backUp(api, path), words);
  } finally {
    rmSync(link);
    symlinkSync('/usr/bin/pg_dumpall', link);
  }
});
