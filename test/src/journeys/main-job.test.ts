import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archived,
  archivesOf,
  contentsOf,
  createRepository,
  deleteArchive,
  download,
  endedJob,
  type Job,
  jobOf,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { contentOf, makeFiles, makeRandomFiles, makeRemarkable, remarkable, sparseSize } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let source: string;
let repository: string;
let archive: string;
const seen: Job[] = [];

beforeAll(async () => {
  server = await TestServer.start();
  source = server.workspace.folder('source');
  makeFiles(join(source, 'many'), 10_000);
  makeRemarkable(join(source, 'remarkable'));
  makeRandomFiles(join(source, 'large'), 10, 10);
  repository = join(server.workspace.path, 'new', 'folder', 'repository');
});
afterAll(() => server?.remove());

const inArchive = (...parts: string[]) => archived(join(source, ...parts));

test('signs in', async () => {
  api = await server.login();
  const me = await api.get('/api/auth/me');
  expect(me.body).toMatchObject({ username: 'admin', is_admin: true });
});

test('creates a repository in a new folder', async () => {
  const created = await createRepository(api, {
    name: 'Home',
    path: repository,
    source_directories: [source],
    exclude_patterns: ['*/many/dir-0099'],
  });
  expect(created).toMatchObject({
    name: 'Home',
    path: repository,
    encryption: 'repokey',
    compression: 'lz4',
  });
  const listed = await api.get('/api/repositories');
  expect(listed.body.repositories).toMatchObject([
    {
      id: created.id,
      archive_count: 0,
      last_backup: null,
      mode: 'full',
      repository_type: 'local',
      host: null,
    },
  ]);
});

test('backs it up with moving progress', async () => {
  const id = await startBackup(api, repository);
  const ended = await waitFor(
    async () => {
      const job = await jobOf(api, id);
      seen.push(job);
      return job.completed_at !== null && job;
    },
    { what: 'the end of the backup', timeoutMs: 120_000, intervalMs: 20 },
  );
  expect(ended).toMatchObject({ status: 'completed', error_message: null, progress: 100 });
  expect(ended.progress_details.nfiles).toBeGreaterThan(9_900);
  const sizes = seen.map((job) => job.progress_details.original_size);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  expect(new Set(sizes).size).toBeGreaterThan(2);
  const percents = seen.map((job) => job.progress_details.progress_percent);
  expect(percents.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
});

test('lists the archive in the repository', async () => {
  const archives = await archivesOf(api, repository);
  expect(archives).toHaveLength(1);
  archive = archives[0]?.name ?? '';
  expect(archive).toMatch(/^manual-backup-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  const look = async () => {
    const { body } = await api.get('/api/repositories/');
    return body.repositories[0].archive_count === 1 && body.repositories[0];
  };
  const known = await waitFor(look, { what: 'the count of archives', timeoutMs: 60_000 });
  expect(known.last_backup).toMatch(/^\d{4}-.*\.\d{3}Z$/);
  expect(known.total_size).toMatch(/^\d+\.\d\d [KMG]?B$/);
});

test('shows sizes, number of files and the requested files of an archive', async () => {
  const path = `/api/archives/${encodeURIComponent(archive)}/info`;
  const { body } = await api.get(path, { repository, include_files: true, file_limit: 25 });
  expect(body.info).toMatchObject({ name: archive });
  expect(body.info.stats.original_size).toBeGreaterThan(100_000_000);
  expect(body.info.files).toHaveLength(25);
  expect(body.info.file_count).toBeGreaterThan(9_900);
});

test('browses one level at a time', async () => {
  const top = await contentsOf(api, { repository, archive });
  expect(top.map(({ name, type }) => [name, type])).toEqual([[inArchive().split('/')[0], 'directory']]);
  const below = await contentsOf(api, { repository, archive, path: inArchive() });
  expect(below.map(({ name }) => name)).toEqual(['large', 'many', 'remarkable']);
  const many = await contentsOf(api, { repository, archive, path: inArchive('many') });
  expect(many).toHaveLength(99);
  expect(many[0]).toMatchObject({ name: 'dir-0000', type: 'directory', size: 100 * 200 });
  expect(below[1]?.size).toBe(9_900 * 200);
});

test('lists every special entry with type, size and a path that works', async () => {
  const items = await contentsOf(api, { repository, archive, path: inArchive('remarkable') });
  const found = Object.fromEntries(items.map((item) => [item.name, item]));
  expect(found[remarkable.unicode]).toMatchObject({ type: 'file', size: 500 });
  expect(found[remarkable.newline]).toMatchObject({ type: 'file', size: 500 });
  expect(found[remarkable.longName]).toMatchObject({ type: 'file', size: 500 });
  expect(found[remarkable.optionLike]).toMatchObject({ type: 'file', size: 500 });
  expect(found[remarkable.linkToFile]).toMatchObject({ type: 'symlink' });
  expect(found[remarkable.dangling]).toMatchObject({ type: 'symlink' });
  expect(found[remarkable.firstName]).toMatchObject({ type: 'file', size: 70_001 });
  expect(found[remarkable.secondName]).toMatchObject({ type: 'file', size: 70_001 });
  expect(found[remarkable.emptyFolder]).toMatchObject({ type: 'directory', size: 0 });
  expect(found[remarkable.sparse]).toMatchObject({ type: 'file', size: sparseSize });
  expect(found[remarkable.notUtf8]).toMatchObject({ type: 'file', size: 3000, name_escaped: true });
  const empty = await contentsOf(api, {
    repository,
    archive,
    path: inArchive('remarkable', remarkable.emptyFolder),
  });
  expect(empty).toEqual([]);
});

test.each([
  ['a unicode name', remarkable.unicode],
  ['a name of two lines', remarkable.newline],
  ['a very long name', remarkable.longName],
  ['a name like an option', remarkable.optionLike],
  ['the first name of a hard link', remarkable.firstName],
  ['the second name of a hard link', remarkable.secondName],
  ['a sparse file', remarkable.sparse],
  ['a deep file', remarkable.deep],
])('downloads %s byte for byte', async (_what, name) => {
  const answer = await download(api, { repository, archive, path: inArchive('remarkable', name) });
  expect(answer.status).toBe(200);
  const original = readFileSync(join(source, 'remarkable', name));
  expect(answer.bytes.equals(original)).toBe(true);
  expect(answer.headers['content-length']).toBe(`${original.length}`);
  expect(answer.headers['content-disposition']).toMatch(/^attachment;/);
  expect(answer.headers['content-disposition']).not.toMatch(/[\r\n]/);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});

test('downloads a file with a name that is not UTF-8 by its escaped form', async () => {
  const items = await contentsOf(api, { repository, archive, path: inArchive('remarkable') });
  const item = items.find(({ name_escaped }) => name_escaped);
  const answer = await download(api, { repository, archive, path: item?.path ?? '' });
  expect(answer.status).toBe(200);
  expect(answer.bytes.equals(contentOf('bad', 3000))).toBe(true);
});

test('downloads a large file byte for byte without a wrong type', async () => {
  const answer = await download(api, { repository, archive, path: inArchive('large', 'random-3.bin') });
  expect(answer.bytes.equals(readFileSync(join(source, 'large', 'random-3.bin')))).toBe(true);
  expect(answer.headers['content-type']).toBe('application/octet-stream');
});

test('serves a range or clearly refuses it', async () => {
  const target = { repository, archive, path: inArchive('large', 'random-3.bin') };
  const answer = await download(api, target, { range: 'bytes=100-199' });
  const whole = readFileSync(join(source, 'large', 'random-3.bin'));
  if (answer.status === 206) {
    expect(answer.bytes.equals(whole.subarray(100, 200))).toBe(true);
    expect(answer.headers['content-range']).toBe(`bytes 100-199/${whole.length}`);
  } else {
    expect(answer.status).toBe(200);
    expect(answer.headers['accept-ranges']).toBe('none');
    expect(answer.bytes.length).toBe(whole.length);
  }
});

test('creates a second archive without new data from the same tree', async () => {
  const job = await endedJob(api, await startBackup(api, repository));
  expect(job.status).toBe('completed');
  expect((await archivesOf(api, repository)).map(({ name }) => name)).toEqual([archive, job.archive_name]);
});

test('deletes one archive and keeps the other', async () => {
  expect(await deleteArchive(api, repository, archive)).toMatchObject({ status: 'completed', progress: 100 });
  const left = await archivesOf(api, repository);
  expect(left).toHaveLength(1);
  expect(left[0]?.name).not.toBe(archive);
  const info = await api.get(`/api/archives/${encodeURIComponent(archive)}/info`, { repository });
  expect(info.status).toBe(404);
  expect((await download(api, { repository, archive, path: inArchive('many') })).status).toBe(404);
});

test('keeps the repository after its registration, with its archives after an import', async () => {
  const { body } = await api.get('/api/repositories/');
  expect((await api.delete(`/api/repositories/${body.repositories[0].id}`)).status).toBe(200);
  const imported = await api.post('/api/repositories/import', {
    name: 'Home again',
    path: repository,
    passphrase: 'a passphrase for tests only',
    source_directories: [source],
  });
  expect(imported.status).toBe(201);
  expect(imported.body.repository).toMatchObject({ encryption: 'repokey', archive_count: 1 });
  expect(await archivesOf(api, repository)).toHaveLength(1);
});
