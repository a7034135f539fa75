/** Databases that are dumped into each backup, and released whatever happens. */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, contentsOf, createRepository, download, isTerminal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let folder: string;
let database: string;

const sql = (text: string) => execFileSync('sqlite3', [database, text], { encoding: 'utf8' });
const scratch = () => readdirSync('/var/tmp').filter((name) => name.startsWith('holdfast-'));

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  folder = server.workspace.folder('source');
  writeFileSync(join(folder, 'ann.txt'), 'Dear Ann');
  database = join(folder, 'shop.db');
  sql(`CREATE TABLE customers (name); INSERT INTO customers VALUES ('Ann'), ('Bob');`);
});
afterAll(() => server.remove());

const sqlite = (name: string, files: string) => ({ kind: 'sqlite', name, settings: { files } });

test('shows the kinds of sources with their fields', async () => {
  const { body } = await api.get('/api/sources/kinds');
  expect(body.kinds.map(({ id }: { id: string }) => id)).toEqual([
    'container',
    'mysql',
    'mongodb',
    'postgresql',
    'snapshot',
    'sqlite',
  ]);
});

test('backs up a database beside files, and leaves nothing behind', async () => {
  const path = server.workspace.folder('repositories', 'home');
  await createRepository(api, {
    name: 'home',
    path,
    source_directories: [folder],
    sources: [sqlite('shop', database)],
  });
  const job = await backUp(api, path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const archive = job.archive_name ?? '';
  const dumps = await contentsOf(api, { repository: path, archive, path: 'holdfast-sources/sqlite/shop' });
  const [dump] = dumps;
  expect(dumps.map(({ name }) => name)).toEqual([encodeURIComponent(database)]);
  const { bytes } = (await download(api, { repository: path, archive, path: dump?.path ?? '' })) as never as {
    bytes: Buffer;
  };
  expect(String(bytes.subarray(0, 15))).toBe('SQLite format 3');
  const files = await contentsOf(api, { repository: path, archive, path: folder.slice(1) });
  expect(files.map(({ name }) => name)).toEqual(['ann.txt']);
  // Other services on this machine have some, too.
  await waitFor(() => scratch().length === 0, { what: 'the end of everything' });
});

test('restores no dump over the files of the service', async () => {
  const path = server.workspace.folder('repositories', 'home');
  const archive = (await archivesOf(api, path)).at(-1)?.name;
  const dump = `holdfast-sources/sqlite/shop/${encodeURIComponent(database)}`;
  const own = join(server.dataDirectory, 'holdfast.db');
  for (const into of [own, relative(folder, own), join(path, 'data', 'new.db')]) {
    const order = { repository: path, archive, path: dump, into, replace: into };
    const { status, body } = await api.post('/api/restore/dump', order);
    expect([into, status, body.code]).toEqual([into, 400, expect.stringMatching(/^destination_/)]);
  }
});

test('refuses to send a stored password to another server', async () => {
  const { body } = await api.get('/api/sources/kinds');
  type Kind = { id: string; fields: { name: string; kind: string }[] };
  const kinds = (body.kinds as Kind[]).filter(({ fields }) => fields.some(({ kind }) => kind === 'secret'));
  expect(kinds.map(({ id }) => id)).toEqual(expect.arrayContaining(['mysql', 'postgresql']));
  const path = server.workspace.folder('repositories', 'secrets');
  const settings = { host: '127.0.0.1', port: '1', user: 'ann' };
  const sources = kinds.map(({ id: kind }) => ({
    kind,
    name: 'shop',
    container: null as string | null,
    settings: { ...settings, password: 'sesame' },
  }));
  const all = { source_directories: [folder], sources };
  const { id } = await createRepository(api, { name: 'secrets', path, ...all });
  const { archive_name: archive } = await backUp(api, path);
  for (const source of (await api.get(`/api/repositories/${id}`)).body.repository.sources) {
    expect(source.settings.password).toBe('***');
    const check = (changed: object, more: object = {}) =>
      api.post('/api/sources/check', { source: { ...source, ...changed }, repository_id: id, ...more });
    expect((await check({})).body.findings[0].status).toBe('failed');
    const { fields } = kinds.find((kind) => kind.id === source.kind) as Kind;
    const named = (name: string) => fields.some((field) => field.name === name);
    for (const name of ['host', 'port', 'user', 'socket'].filter(named)) {
      const elsewhere = { settings: { ...source.settings, [name]: name === 'port' ? '2' : 'elsewhere' } };
      const { status, body } = await check(elsewhere);
      expect([source.kind, name, status, body.code]).toEqual([source.kind, name, 400, 'source_secret_again']);
      const saved = await api.put(`/api/repositories/${id}`, { sources: [{ ...source, ...elsewhere }] });
      expect([saved.status, saved.body.code]).toEqual([400, 'source_secret_again']);
      const dump = { path: `holdfast-sources/${source.kind}/shop/shop.dump`, into: 'back' };
      const order = { repository: path, archive, ...dump, source: { ...source, ...elsewhere } };
      const restored = await api.post('/api/restore/dump', order);
      expect([restored.status, restored.body.code]).toEqual([400, 'source_secret_again']);
    }
    for (const refused of [await check({ container: 'shop-db' }), await check({}, { connection_id: 7 })])
      expect([refused.status, refused.body.code]).toEqual([400, 'source_secret_again']);
    expect((await check({ settings: { ...settings, port: '2', password: 'sesame' } })).status).toBe(200);
  }
});

test('finds databases, and checks a source before it is saved', async () => {
  const found = await api.post('/api/sources/find', {});
  expect([found.status, found.body.success]).toEqual([200, true]);
  const check = async (source: object) => (await api.post('/api/sources/check', { source })).body.findings;
  const [good] = await check(sqlite('shop', database));
  expect(good.status).toBe('ok');
  const [bad] = await check(sqlite('gone', join(folder, 'gone.db')));
  expect(bad).toMatchObject({ status: 'failed', text: expect.stringContaining('gone.db') });
});

test('shows the times of each source in the job, and its name in archives', async () => {
  const path = server.workspace.folder('repositories', 'phases');
  await createRepository(api, { name: 'phases', path, sources: [sqlite('shop', database)] });
  const { id } = await backUp(api, path);
  const { about, started_at, completed_at } = (await api.get(`/api/jobs/${id}`)).body.job;
  const [{ begun_at, prepared_at, released_at, ...rest }] = about.sources;
  expect(rest).toEqual({
    kind: 'sqlite',
    name: 'shop',
    dumps: 1,
    error_message: null,
    error_code: null,
    error_params: {},
  });
  const times = [started_at, begun_at, prepared_at, released_at, completed_at];
  expect(times.toSorted()).toEqual(times);
  const [archive] = await archivesOf(api, path);
  expect(archive).toMatchObject({ sources: [{ kind: 'sqlite', name: 'shop' }] });
});

test('fails with the archive of everything else when a database cannot be dumped', async () => {
  const path = server.workspace.folder('repositories', 'partly');
  await createRepository(api, {
    name: 'partly',
    path,
    source_directories: [folder],
    sources: [sqlite('shop', database), sqlite('gone', join(folder, 'gone.db'))],
  });
  const job = await backUp(api, path);
  expect(job).toMatchObject({
    status: 'failed',
    error_message: expect.stringMatching(/^gone is not protected by this backup: No file matches .*gone\.db/),
  });
  expect(await archivesOf(api, path)).toHaveLength(1);
  const { body } = await api.get('/api/system/protection');
  const about = body.repositories.find(({ name }: { name: string }) => name === 'partly');
  expect(about.status).not.toBe('protected');
  expect(about.reasons.join(' ')).toContain('gone');
});

test('restores dumps in a drill and counts their tables and rows', async () => {
  const path = server.workspace.folder('repositories', 'drilled');
  const { id } = await createRepository(api, { name: 'drilled', path, sources: [sqlite('shop', database)] });
  await backUp(api, path);
  const started = await api.post(`/api/repositories/${id}/drill`, {});
  expect(started.status).toBe(200);
  const job = await waitFor(
    async () => {
      const { job } = (await api.get(`/api/jobs/${started.body.job_id}`)).body;
      return isTerminal(job) && job;
    },
    { what: 'the end of the drill' },
  );
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const { drills } = (await api.get('/api/drills', { limit: 1 })).body;
  const evidence = await api.get(`/api/drills/${drills[0].id}`, { limit: 10 });
  expect(evidence.body.results).toMatchObject([
    { verdict: 'passed', reason: expect.stringContaining('1 tables, 2 rows') },
  ]);
  // Other services on this machine have some, too.
  await waitFor(() => scratch().length === 0, { what: 'the end of everything' });
});
