/** One switch: what it makes, what it keeps, and what it refuses. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { backUpItself, scratchOf, selfBackupOf, switchOn } from '../self-backup.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let api: Api;
beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
});
afterAll(() => server?.remove());

const counts = async () => ({
  repositories: (await api.get('/api/repositories/')).body.repositories.length as number,
  schedules: (await api.get('/api/schedule/')).body.jobs.length as number,
});

test('suggests a location outside of the data folder and creates nothing at first', async () => {
  const own = await selfBackupOf(api);
  expect(own).toMatchObject({ enabled: false, repository_id: null, schedule_id: null, path: null });
  expect(own.suggested_path).toBe(join(server.workspace.path, 'holdfast-self-backup'));
  expect(await counts()).toEqual({ repositories: 0, schedules: 0 });
});

test('leaves no repository after an invalid rule', async () => {
  for (const plan of [{ cron_expression: 'never' }, { timezone: 'Europe/Nowhere' }])
    expect((await api.put('/api/system/self-backup', { enabled: true, ...plan })).status).toBe(400);
  expect(await counts()).toEqual({ repositories: 0, schedules: 0 });
});

test('creates one encrypted repository and daily schedule despite repeated activation', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => switchOn(api, { remote_path: 'borg-linux64' })));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const [own] = answers;
  expect(own).toMatchObject({ enabled: true, last_backup_at: null, last_error: null, same_disk: true });
  expect(own?.warnings).toEqual([expect.stringContaining('on the same disk as the data folder')]);
  expect(await counts()).toEqual({ repositories: 1, schedules: 1 });
  const { repository } = (await api.get(`/api/repositories/${own?.repository_id}`)).body;
  expect(repository.remote_path).toBe('borg-linux64');
  expect(repository).toMatchObject({ self_backup: true, encryption: 'repokey-blake2', mode: 'full' });
  const { job } = (await api.get(`/api/schedule/${own?.schedule_id}`)).body;
  expect(job).toMatchObject({ cron_expression: '15 1 * * *', run_prune_after: true, prune_keep_daily: 7 });
});

test('contains a complete copy and leaves none behind', async () => {
  expect((await backUpItself(api)).status).toBe('completed');
  const { path, last_backup_at, last_error } = await selfBackupOf(api);
  expect([last_backup_at, last_error]).toEqual([expect.any(String), null]);
  const [archive] = await archivesOf(api, path);
  const found = await api.get('/api/archives/search', {
    repository: path,
    archive: archive?.name ?? '',
    query: 'manifest.json',
  });
  expect(found.text).toContain('self-backup/holdfast-copy/manifest.json');
  expect(scratchOf(server.dataDirectory)).toEqual([]);
  expect(readFileSync(join(server.dataDirectory, 'self-backup', 'README.txt'), 'utf8')).toContain('recover');
});

test('uses the rules of its schedule and keeps the repository when turned off', async () => {
  const before = await selfBackupOf(api);
  const later = await switchOn(api, { cron_expression: '0 4 * * *', timezone: 'Europe/Berlin' });
  expect(later).toMatchObject({ cron_expression: '0 4 * * *', timezone: 'Europe/Berlin' });
  const off = await api.put('/api/system/self-backup', { enabled: false });
  expect(off.body).toMatchObject({
    enabled: false,
    next_run: null,
    path: before.path,
    repository_id: before.repository_id,
  });
  expect((await api.put('/api/system/self-backup', { enabled: false })).body).toEqual(off.body);
  expect(existsSync(join(before.path, 'config'))).toBe(true);
  expect(await switchOn(api)).toMatchObject({ enabled: true, cron_expression: '0 4 * * *' });
  expect(await counts()).toEqual({ repositories: 1, schedules: 1 });
});

test('refuses another location than its repository, and invalid settings', async () => {
  const { path } = await selfBackupOf(api);
  const elsewhere = { enabled: true, path: join(server.workspace.path, 'elsewhere') };
  const refused = await api.put('/api/system/self-backup', elsewhere);
  expect([refused.status, refused.body.code]).toEqual([409, 'self_backup_exists']);
  expect(await switchOn(api, { path })).toMatchObject({ path });
  for (const body of [
    { enabled: true, cron_expression: '' },
    { enabled: true, cron_expression: 'never' },
    {},
  ])
    expect((await api.put('/api/system/self-backup', body)).status).toBe(400);
});

test('is off without its registration, and creates a new repository next time', async () => {
  const { repository_id, path } = await selfBackupOf(api);
  expect((await api.delete(`/api/repositories/${repository_id}`)).status).toBe(200);
  expect(await selfBackupOf(api)).toMatchObject({ enabled: false, repository_id: null });
  const source = server.workspace.folder('source');
  makeFiles(source, 1);
  const other = join(server.workspace.path, 'other');
  await createRepository(api, { name: 'Holdfast itself', path: other, source_directories: [source] });
  const own = await switchOn(api);
  expect(own.path).toBe(`${path}-2`);
  const { repository } = (await api.get(`/api/repositories/${own.repository_id}`)).body;
  expect(repository.name).toBe('Holdfast itself 2');
  expect((await backUpItself(api)).status).toBe('completed');
});
