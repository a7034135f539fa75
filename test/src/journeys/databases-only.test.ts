/** A repository without any folder: it keeps dumps of databases, and nothing else. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PostgresServer } from '../../../scripts/services/postgres-server.mjs';
import { backUp, contentsOf, createRepository, isTerminal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

let postgres: PostgresServer;
let server: TestServer;
let api: Api;
let set: { id: number; source_directories: string[] };
let repository: Repository;

beforeAll(async () => {
  postgres = await PostgresServer.start(process.env.TEST_POSTGRES_PROGRAMS ?? '/usr/lib/postgresql/15/bin');
  postgres.sql(`CREATE TABLE customers AS SELECT unnest(ARRAY['Ann', 'Bob']) AS name`);
  server = await TestServer.start();
  api = await server.login();
});
afterAll(async () => {
  await server?.remove();
  await postgres?.remove();
});

test('names both fields when a source set would back up nothing', async () => {
  const { status, body } = await api.post('/api/source-sets', { name: 'nothing' });
  expect([status, body.code, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    'source_set_empty',
    ['source_directories', 'sources'],
  ]);
});

test('backs up, drills and restores databases without any folder', async () => {
  const file = join(server.workspace.folder('home'), 'notes.db');
  execFileSync('sqlite3', [file, `CREATE TABLE notes AS SELECT 'Dear Ann' AS text`]);
  const { password } = new URL(postgres.url());
  const settings = { host: '127.0.0.1', port: `${postgres.port}`, user: 'postgres', password };
  const sources = [
    { kind: 'postgresql', name: 'shop', settings },
    { kind: 'sqlite', name: 'notes', settings: { files: file } },
  ];
  const made = await api.post('/api/source-sets', { name: 'databases', sources });
  set = made.body.source_set;
  expect(set.source_directories).toEqual([]);
  const path = server.workspace.folder('repositories', 'databases');
  repository = await createRepository(api, { name: 'databases', path, source_set_id: set.id });
  const plan = { name: 'nightly', cron_expression: '0 2 * * *', timezone: 'Europe/Berlin' };
  const planned = await api.post('/api/schedule/', { ...plan, repository_ids: [repository.id] });
  expect(planned.status).toBe(201);
  const place = { source_directories: [], path, repository_id: repository.id };
  expect((await api.post('/api/preflight', place)).body).toMatchObject({ complete: true, missing: [] });

  const job = await backUp(api, path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const { body } = await api.get('/api/system/protection');
  expect(body.repositories).toMatchObject([{ name: 'databases', status: 'protected' }]);

  const { job_id } = (await api.post(`/api/repositories/${repository.id}/drill`)).body;
  const ended = async () => {
    const { job } = (await api.get(`/api/jobs/${job_id}`)).body;
    return isTerminal(job) && job;
  };
  expect(await waitFor(ended, { what: 'the end of the drill' })).toMatchObject({ status: 'completed' });
  const { drills } = (await api.get('/api/drills', { limit: 1 })).body;
  const { results } = (await api.get(`/api/drills/${drills[0].id}`, { limit: 10 })).body;
  expect(results.map(({ verdict }: { verdict: string }) => verdict)).not.toContain('failed');
  const reasons = results.map(({ reason }: { reason: string | null }) => reason).join(' ');
  expect(reasons).toContain('1 tables, 2 rows');
  expect(reasons).toContain('1 tables, 1 rows');

  const restore = async (dump: string, into: string) => {
    const order = { repository: path, archive: job.archive_name, path: `holdfast-sources/${dump}`, into };
    const { status, error_message } = await endedRestore(api, await api.post('/api/restore/dump', order));
    expect([status, error_message]).toEqual(['completed', null]);
  };
  await restore('postgresql/shop/postgres.dump', 'back');
  expect(postgres.sql('SELECT count(*) FROM customers', 'back')).toBe('2');
  await restore(`sqlite/notes/${encodeURIComponent(file)}`, 'back.db');
  const back = join(server.workspace.path, 'home', 'back.db');
  expect(execFileSync('sqlite3', [back, 'SELECT text FROM notes'], { encoding: 'utf8' }).trim()).toBe(
    'Dear Ann',
  );
});

test('dumps databases even if no folder is there, and says so', async () => {
  const file = join(server.workspace.folder('home'), 'notes.db');
  const path = server.workspace.folder('repositories', 'unmounted');
  await createRepository(api, {
    name: 'unmounted',
    path,
    source_directories: ['/nowhere/mounted'],
    sources: [{ kind: 'sqlite', name: 'notes', settings: { files: file } }],
  });
  const job = await backUp(api, path);
  expect(job.status).toBe('completed_with_warnings');
  expect(job.error_message).toContain('/nowhere/mounted');
  const inside = { repository: path, archive: job.archive_name ?? '', path: 'holdfast-sources/sqlite/notes' };
  expect(await contentsOf(api, inside)).toHaveLength(1);
  const { body } = await api.get('/api/system/protection');
  const about = body.repositories.find(({ name }: { name: string }) => name === 'unmounted');
  expect(about.status).not.toBe('protected');
});

test('exports and imports a source set without folders, and refuses an empty one', async () => {
  const emptied = await api.put(`/api/source-sets/${set.id}`, { sources: [] });
  expect([emptied.status, emptied.body.code]).toEqual([400, 'source_set_empty']);
  const own = await api.put(`/api/repositories/${repository.id}`, { source_set_id: null, sources: [] });
  expect([own.status, own.body.code]).toEqual([400, 'full_mode_without_sources']);
  const { document } = (await api.get('/api/settings/export')).body;
  expect(document.source_sets).toMatchObject([{ name: 'databases', source_directories: [] }]);
  const again = await api.post('/api/settings/import', { document, dry_run: false });
  expect(again.body.objects.filter(({ action }: { action: string }) => action !== 'unchanged')).toEqual([]);
  const fresh = await TestServer.start();
  try {
    const to = await fresh.login();
    await to.post('/api/settings/import', { document, dry_run: false });
    const [taken] = (await to.get('/api/source-sets')).body.source_sets;
    expect(taken).toMatchObject({ source_directories: [], sources: [{ name: 'shop' }, { name: 'notes' }] });
  } finally {
    await fresh.remove();
  }
});
