/** Databases and containers on a host that is reached over SSH. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PodmanEngine } from '../../../scripts/services/podman.mjs';
import { PostgresServer } from '../../../scripts/services/postgres-server.mjs';
import {
  archived,
  backUp,
  contentsOf,
  endedJob,
  type Job,
  jobOf,
  type Repository,
  startBackup,
} from '../actions.js';
import { PullFixture } from '../pull-fixture.js';
import { endedRestore } from '../restore.js';
import { waitFor } from '../wait-for.js';

let engine: PodmanEngine;
let postgres: PostgresServer;
let host: PullFixture;
let repository: Repository;
let database: string;
const rows = 300_000;

beforeAll(async () => {
  engine = await PodmanEngine.start();
  engine.container('shop-app', { command: ['sh', '-c', 'trap "exit 0" TERM; sleep 1000 & wait'] });
  postgres = await PostgresServer.start(process.env.TEST_POSTGRES_PROGRAMS ?? '/usr/lib/postgresql/15/bin');
  postgres.sql(
    `CREATE TABLE orders AS SELECT n, md5(n::text) || md5((-n)::text) AS text FROM generate_series(1, ${rows}) n`,
  );
  host = await PullFixture.start({ env: { PLUGIN_SOURCE_CONTAINER_SOCKET: engine.socket } });
  const { sshd } = host;
  chmodSync(engine.folder, 0o755);
  chownSync(engine.socket, sshd.account.uid, sshd.account.gid);
  database = join(sshd.ownFolder('data', 'shop'), 'shop.db');
  execFileSync('sqlite3', [database, `CREATE TABLE letters (text); INSERT INTO letters VALUES ('Dear Ann')`]);
  sshd.own(database);
  const { port } = postgres;
  const { password } = new URL(postgres.url());
  const settings = { host: '127.0.0.1', port: `${port}`, user: 'postgres', password };
  repository = await host.create('shop', {
    sources: [
      { kind: 'container', name: 'app', settings: { stop: 'shop-app' } },
      { kind: 'sqlite', name: 'letters', settings: { files: database } },
      { kind: 'postgresql', name: 'orders', settings },
    ],
  });
});
afterAll(async () => {
  await host?.remove();
  await postgres?.remove();
  await engine?.remove();
});
afterEach(() => postgres?.signal('SIGCONT'));

const appRuns = () => engine.podman('inspect', '--format', '{{.State.Status}}', 'shop-app') === 'running';
/** Others than those of the account belong to tests beside this one. */
const left = () =>
  readdirSync('/var/tmp').filter(
    (name) =>
      name.startsWith('holdfast-') &&
      statSync(join('/var/tmp', name), { throwIfNoEntry: false })?.uid === host.sshd.account.uid,
  );
const isReleased = () => appRuns() && host.sshd.commands().length === 0 && left().length === 0;

const mostUnread = 1_000_000;
/** Bytes that a process wrote so far; 0 if it is gone. */
function written(pid: number): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}

/** Starts a backup, and stops the database server once a part of its dump has been sent. */
async function stuckInDump(): Promise<number> {
  const id = await startBackup(host.api, repository.path);
  const hasSent = () =>
    host.sshd
      .commands()
      .some(({ pid, command }) => /^\S*pg_dump -Fc/.test(command) && written(pid) > mostUnread);
  await waitFor(hasSent, { what: 'a part of the dump', intervalMs: 10 });
  await postgres.freeze();
  expect(appRuns()).toBe(false);
  return id;
}

/** Also those that the tool made on the way. */
const stored = () => host.borg(['list', '--short', '--consider-checkpoints', repository.path]).trim();

async function expectWhole({ status, error_message, archive_name }: Job) {
  expect([status, error_message]).toEqual(['completed', null]);
  const archive = archive_name ?? '';
  const namesIn = async (path: string) =>
    (await contentsOf(host.api, { repository: repository.path, archive, path })).map(({ name }) => name);
  expect(await namesIn('holdfast-sources/postgresql/orders')).toEqual(['globals.sql', 'postgres.dump']);
  expect(await namesIn('holdfast-sources/sqlite/letters')).toEqual([encodeURIComponent(database)]);
  expect(await namesIn(archived(host.tree))).toContain('private');
  await waitFor(isReleased, { what: 'the end of everything' });
}

test('backs up databases and files of a host, and leaves nothing behind', async () => {
  const job = await backUp(host.api, repository.path);
  await expectWhole(job);
  const folder = host.server.workspace.folder('dump');
  host.borg(['extract', `${repository.path}::${job.archive_name}`, 'holdfast-sources'], folder);
  const dump = join(folder, 'holdfast-sources/postgresql/orders/postgres.dump');
  const script = join(folder, 'orders.sql');
  execFileSync('pg_restore', ['--data-only', `--file=${script}`, dump]);
  const lines = readFileSync(script, 'utf8').split('\n');
  expect(lines.filter((line) => /^\d+\t/.test(line))).toHaveLength(rows);
});

test('checks sources of a host, and restores their dumps there', async () => {
  const check = async (files: string) => {
    const source = { kind: 'sqlite', name: 'letters', settings: { files } };
    const { body } = await host.api.post('/api/sources/check', { source, connection_id: host.connection.id });
    return body.findings.map(({ status }: { status: string }) => status);
  };
  expect([await check(database), await check('/nowhere/*.db')]).toEqual([['ok'], ['failed']]);

  const { archive_name: archive } = await backUp(host.api, repository.path);
  const restore = async (path: string, into: string) => {
    const input = { repository: repository.path, archive, path: `holdfast-sources/${path}`, into };
    const job = await endedRestore(host.api, await host.api.post('/api/restore/dump', input));
    return [job.status, job.error_message];
  };
  const dump = `sqlite/letters/${encodeURIComponent(database)}`;
  expect(await restore(dump, 'back.db')).toEqual(['completed', null]);
  const back = join(dirname(database), 'back.db');
  expect(execFileSync('sqlite3', [back, 'SELECT text FROM letters'], { encoding: 'utf8' }).trim()).toBe(
    'Dear Ann',
  );
  expect(statSync(back).uid).toBe(host.sshd.account.uid);
  expect(await restore(dump, 'back.db')).toEqual(['failed', expect.stringContaining('exists')]);
  expect(await restore('postgresql/orders/postgres.dump', 'back')).toEqual(['completed', null]);
  expect(postgres.sql('SELECT count(*) FROM orders', 'back')).toBe(`${rows}`);
  postgres.sql('DROP DATABASE back');
});

test('backs up a database of a host without any folder', async () => {
  const sources = [{ kind: 'sqlite', name: 'letters', settings: { files: database } }];
  const flags = { custom_flags: '--one-file-system' };
  const { path } = await host.create('letters', { source_directories: [], sources, ...flags });
  const { status, error_message, archive_name } = await backUp(host.api, path);
  expect([status, error_message]).toEqual(['completed', null]);
  const listed = host.borg(['list', '--short', `${path}::${archive_name}`]);
  expect(listed.trim()).toBe(`holdfast-sources/sqlite/letters/${encodeURIComponent(database)}`);
});

test('releases within 60 s after kill -9, and keeps no half dump', async () => {
  const before = stored();
  const id = await stuckInDump();
  await host.server.stop('SIGKILL');
  await host.server.launch();
  await waitFor(isReleased, { what: 'the release', timeoutMs: 60_000 });
  expect(await endedJob(host.api, id)).toMatchObject({
    status: 'failed',
    error_message: expect.stringMatching(/restart|stopped/i),
  });
  expect(stored()).toBe(before);
  postgres.signal('SIGCONT');
  await expectWhole(await backUp(host.api, repository.path));
});

test('fails when the connection is lost, and releases once the host answers', async () => {
  const before = stored();
  const id = await stuckInDump();
  await host.sshd.stop();
  const job = await endedJob(host.api, id);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/connection/i);
  expect(job.error_message).toContain('could not be released, and is tried again');
  expect(appRuns()).toBe(false);
  expect(stored()).toBe(before);
  postgres.signal('SIGCONT');
  const next = await startBackup(host.api, repository.path);
  const waits = async () => (await jobOf(host.api, next)).waiting_for;
  expect(await waitFor(waits, { what: 'the next backup to wait' })).toBe(
    `the release of app after backup job ${id}`,
  );
  await host.sshd.launch();
  await expectWhole(await endedJob(host.api, next));
});
