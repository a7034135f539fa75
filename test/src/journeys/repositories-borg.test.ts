/** What borg has an opinion of its own about: its key files, other places, copies and odd paths. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository, expectRefusal, passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let api: Api;
let source: string;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(source, 5);
});
afterAll(() => server?.remove());

const store = (name: string) => join(server.workspace.path, 'stores', 'deep', name);
const create = (name: string, more: object = {}) =>
  createRepository(api, { name, path: store(name), source_directories: [source], ...more });
const importIt = (name: string, more: object = {}) =>
  api.post('/api/repositories/import', {
    name,
    path: store(name),
    passphrase,
    source_directories: [source],
    ...more,
  });
const show = async (id: number) => (await api.get(`/api/repositories/${id}`)).body.repository;

test('imports a forgotten repository again with its key file', async () => {
  const made = await create('kept', { encryption: 'keyfile' });
  expect(made).toMatchObject({
    encryption: 'keyfile',
    has_keyfile: true,
    archive_count: 0,
    total_size: null,
  });
  expect((await backUp(api, made.path)).status).toBe('completed');
  const full = await show(made.id);
  expect(full).toMatchObject({
    archive_count: 1,
    total_size: expect.stringMatching(/^\d+\.\d\d (B|KB|MB)$/),
  });
  expect(full.last_backup).toMatch(/Z$/);

  const key = await api.get(`/api/repositories/${made.id}/keyfile`);
  expect(key.text).toMatch(/^BORG_KEY [0-9a-f]{64}\n/);
  expect((await api.delete(`/api/repositories/${made.id}`)).status).toBe(200);
  expect(existsSync(join(made.path, 'config'))).toBe(true);

  expectRefusal(await importIt('kept'), 400, /keyfile_content/);
  const again = await importIt('kept', { keyfile_content: key.text });
  expect(again.text).toContain('"success":true');
  expect(again.status).toBe(201);
  expect(again.body.repository).toMatchObject({ encryption: 'keyfile', has_keyfile: true, archive_count: 1 });
  expect(await archivesOf(api, made.path)).toHaveLength(1);
  expect((await backUp(api, made.path)).status).toBe('completed');
});

test('follows a moved repository, and creates nothing by an update', async () => {
  const made = await create('wanderer');
  await backUp(api, made.path);
  renameSync(made.path, store('moved'));
  expectRefusal(await api.put(`/api/repositories/${made.id}`, { path: store('nowhere') }), 400);
  expect(existsSync(store('nowhere'))).toBe(false);
  const updated = await api.put(`/api/repositories/${made.id}`, { path: store('moved'), encryption: 'none' });
  expect(updated.body).toMatchObject({ success: true, repository: { path: store('moved') } });
  expect(updated.body.warnings).toEqual([expect.stringContaining('encryption')]);
  expect(await archivesOf(api, store('moved'))).toHaveLength(1);
  expect((await backUp(api, store('moved'))).status).toBe('completed');

  const other = await create('other');
  await api.delete(`/api/repositories/${other.id}`);
  expectRefusal(await api.put(`/api/repositories/${made.id}`, { path: other.path }), 400);
});

test('writes to only one of two copies of a repository and reads both', async () => {
  const made = await create('original');
  await backUp(api, made.path);
  execFileSync('cp', ['-a', made.path, store('copy')]);
  expectRefusal(await importIt('copy'), 409);
  expect((await importIt('copy', { mode: 'observe' })).status).toBe(201);
  expect((await backUp(api, made.path)).status).toBe('completed');
  expect(await archivesOf(api, store('copy'))).toHaveLength(1);
  expect(await archivesOf(api, made.path)).toHaveLength(2);
});

test('accepts braces, spaces and option-like parts in a path', async () => {
  const made = await create('odd', { path: join(store('{now} a'), '--rsh=x') });
  expect((await backUp(api, made.path)).status).toBe('completed');
  expect(readdirSync(store('{now} a'))).toEqual(['--rsh=x']);
  const relative = await create('relative', { path: '-x' });
  expect(relative.path).toBe(join(server.dataDirectory, '-x'));
});
