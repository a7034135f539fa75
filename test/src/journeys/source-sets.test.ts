import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endedJob, expectRefusal, jobOf, type Repository, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

/** Two instances on one database. */
let server: TestServer;
let second: TestServer;
let api: Api;
let source: string;
let set: number;
const copies: Repository[] = [];

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory' });
  const { workspace, dataDirectory } = server;
  second = await TestServer.start({ driver: 'memory', workspace, dataDirectory });
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(source, 5);
  const values = { name: 'documents', source_directories: [source], exclude_patterns: ['*.tmp'] };
  const made = await api.post('/api/source-sets', values);
  expect(made.status).toBe(201);
  set = made.body.source_set.id;
  for (const name of ['one', 'two', 'three']) {
    const path = join(server.workspace.path, name);
    const repository = { name, path, encryption: 'none', source_set_id: set };
    const answer = await api.post('/api/repositories/', repository);
    expect(answer.status).toBe(201);
    copies.push(answer.body.repository);
  }
}, 120_000);
afterAll(async () => {
  await second?.stop();
  await server?.remove();
});

const at = (n: number) => copies[n] as Repository;
const itself = () => `/api/source-sets/${set}`;

test('updates every repository and its entity tag with one change', async () => {
  const before = await api.get(`/api/repositories/${at(0).id}`);
  const outdated = await api.get(itself());
  const changed = await api.put(itself(), { exclude_patterns: ['*.bak'] });
  expect(changed.body.source_set.repositories).toHaveLength(3);
  const after = await api.get(`/api/repositories/${at(0).id}`);
  expect(after.body.repository).toMatchObject({ exclude_patterns: ['*.bak'], source_directories: [source] });
  expect(after.headers.etag).not.toBe(before.headers.etag);
  const stale = { headers: { 'if-match': outdated.headers.etag ?? '' }, json: { name: 'other' } };
  expectRefusal(await api.request('PUT', itself(), stale), 412);
  expectRefusal(await api.put(`/api/repositories/${at(0).id}`, { source_directories: ['/etc'] }), 400, /set/);
  expectRefusal(await api.delete(itself()), 409, /one, two, three/);
});

test('runs backups of its repositories in turn on any instance', async () => {
  const held = new MemoryRepository(at(0).path);
  held.hold();
  const other = api.as(api.token);
  const first = await startBackup(api, at(0).path);
  await held.reached();
  const asked = await (await second.login()).post('/api/backup/start', { repository: at(1).path });
  const text = `backup job ${first} of repository one, which reads the same sources`;
  expect(asked.body.message).toBe(`Backup queued; it waits for ${text}.`);
  const waits = async () => (await jobOf(other, asked.body.job_id)).waiting_for === text;
  await waitFor(waits, { what: 'a waiting job' });
  held.release();
  expect((await endedJob(api, first)).status).toBe('completed');
  expect((await endedJob(api, asked.body.job_id)).status).toBe('completed');
  const [a, b] = await Promise.all([jobOf(api, first), jobOf(api, asked.body.job_id)]);
  expect(Date.parse(b.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(a.completed_at ?? ''));
});

test('runs the scripts of a schedule once around all repositories', async () => {
  const log = join(server.workspace.path, 'scripts.log');
  const script = async (word: string) => {
    const content = `echo "${word}" >> ${log}`;
    return (await api.post('/api/scripts', { name: word, content })).body.id;
  };
  const made = await api.post('/api/schedule/', {
    name: 'all',
    cron_expression: '0 0 1 1 *',
    repository_ids: copies.map(({ id }) => id),
    pre_backup_script_id: await script('before'),
    post_backup_script_id: await script('after'),
  });
  const run = await api.post(`/api/schedule/${made.body.job.id}/run-now`);
  for (const id of run.body.job_ids) expect((await endedJob(api, id)).status).toBe('completed');
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  await waitFor(() => lines().length >= 2, { what: 'the script afterwards' });
  expect(lines()).toEqual(['before', 'after']);
});

test('keeps the sources of a leaving repository; the last one frees the set', async () => {
  for (const { id } of copies) {
    const answer = await api.put(`/api/repositories/${id}`, { source_set_id: null });
    expect(answer.body.repository).toMatchObject({ source_set_id: null, source_directories: [source] });
  }
  expect((await api.delete(itself())).status).toBe(200);
  expectRefusal(await api.get(itself()), 404);
});
