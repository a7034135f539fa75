import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository, endedJob, type Job, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { HeldRepository } from '../faults/held-job.js';
import { TestServer } from '../server.js';
import type { Database } from '../store/database.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let api: Api;
let database: Database;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory' });
  api = await server.login();
  database = await server.database();
});
afterAll(() => server?.remove());

const place = (name: string) => join(server.workspace.path, name);
const filled = (name: string, files = 3): string => {
  makeFiles(server.workspace.folder(name), files);
  return place(name);
};
/** As when the disk behind it is not mounted. */
const unmount = (path: string) => {
  renameSync(path, `${path}-away`);
  server.workspace.folder(path.slice(server.workspace.path.length + 1));
};
const make = (name: string, source_directories: string[], more: object = {}) =>
  createRepository(api, { name, path: place(`repository-${name}`), source_directories, ...more });
const outcomeOf = async ({ id }: Job) => {
  const [row] = await database.all<{ outcome: unknown }>('SELECT outcome FROM job WHERE id = ?', id);
  const outcome = row?.outcome ?? null;
  return typeof outcome === 'string' ? JSON.parse(outcome) : outcome;
};
const namesOf = async ({ path }: Repository) => (await archivesOf(api, path)).map(({ name }) => name);

test('fails if a disk is not mounted and keeps the previous archive newest', async () => {
  const source = filled('disk');
  const repository = await make('disk', [source], { freshness_hours: 24 });
  const good = await backUp(api, repository.path);
  expect(good.status).toBe('completed');
  unmount(source);
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['failed', expect.stringContaining(`${source} is empty`)]);
  expect(job).toMatchObject({
    error_code: 'backup_empty',
    error_params: { reason: expect.stringContaining(source), reason_code: 'source_emptied' },
  });
  expect(await namesOf(repository)).toEqual([good.archive_name]);
});

test('warns while one of two sources is empty that had files', async () => {
  const [first, second] = [filled('first'), filled('second')];
  const repository = await make('two', [first, second]);
  expect((await outcomeOf(await backUp(api, repository.path))).lacking).toEqual([]);
  unmount(second);
  for (let time = 0; time < 2; time++) {
    const job = await backUp(api, repository.path);
    expect([job.status, job.error_message]).toEqual([
      'completed_with_warnings',
      expect.stringContaining(`${second} is empty`),
    ]);
    expect((await outcomeOf(job)).lacking).toEqual([second]);
  }
  makeFiles(second, 3);
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

test('warns of a decrease above the limit until the limit is removed', async () => {
  const source = filled('falling', 40);
  const repository = await make('falling', [source]);
  await backUp(api, repository.path);
  rmSync(source, { recursive: true });
  filled('falling', 2);
  for (let time = 0; time < 2; time++) {
    const job = await backUp(api, repository.path);
    expect([job.status, job.error_message]).toEqual([
      'completed_with_warnings',
      expect.stringMatching(/2 files.*40/),
    ]);
    expect(await outcomeOf(job)).toMatchObject({ collapsed: true, lacking: [] });
  }
  const changed = await api.put(`/api/repositories/${repository.id}`, { shrink_warning_percent: 0 });
  expect(changed.body.repository.shrink_warning_percent).toBe(0);
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

test('warns of a symlink as source, and fails if it is the only one', async () => {
  const target = filled('target');
  const link = place('link');
  symlinkSync(target, link);
  const alone = await api.post('/api/repositories/', {
    name: 'link',
    path: place('repository-link'),
    encryption: 'none',
    source_directories: [link],
  });
  expect(alone.body.warnings).toEqual([
    expect.stringMatching(new RegExp(`${link} is a symlink to ${target}`)),
  ]);
  const job = await backUp(api, alone.body.repository.path);
  expect([job.status, job.error_message]).toEqual([
    'failed',
    expect.stringContaining(`${link} is a symlink`),
  ]);
  expect(await namesOf(alone.body.repository)).toEqual([]);

  const changed = await api.put(`/api/repositories/${alone.body.repository.id}`, {
    source_directories: [link, place('target')],
  });
  expect(changed.body.warnings).toEqual([expect.stringContaining(link)]);
  const both = await backUp(api, alone.body.repository.path);
  expect([both.status, both.error_message]).toEqual([
    'completed_with_warnings',
    expect.stringContaining(`${link} is a symlink`),
  ]);
  expect((await outcomeOf(both)).lacking).toEqual([link]);
});

test('keeps the result of the tool after kill -9 in the post-backup hook', async () => {
  const source = filled('held');
  const held = await HeldRepository.make(api, { folder: server.workspace.path, source, at: 'after' });
  const gone = place('gone');
  await api.put(`/api/repositories/${held.repository.id}`, { source_directories: [source, gone] });
  const undisturbed = await held.begin(api);
  held.letGo();
  const expected = await endedJob(api, undisturbed);
  expect([expected.status, expected.error_message]).toEqual([
    'completed_with_warnings',
    expect.stringContaining(gone),
  ]);

  writeFileSync(join(source, 'new'), 'new');
  const id = await held.begin(api);
  await server.stop('SIGKILL');
  held.letGo();
  await server.launch();
  const recovered = await endedJob(api, id, 60_000);
  expect([recovered.status, recovered.error_message]).toEqual([expected.status, expected.error_message]);
  expect((await outcomeOf(recovered)).lacking).toEqual((await outcomeOf(expected)).lacking);
});
