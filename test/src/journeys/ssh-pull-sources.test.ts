import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, archivesOf, backUp, contentsOf, download, endedJob, expectRefusal } from '../actions.js';
import { PullFixture } from '../pull-fixture.js';
import { makeFiles } from '../trees.js';

let host: PullFixture;

beforeAll(async () => {
  host = await PullFixture.start();
});
afterAll(() => host?.remove());

test('fails and names the only source if it is missing', async () => {
  const gone = join(host.sshd.home, 'data', 'gone');
  const repository = await host.create('gone', { source_directories: [gone] });
  const answer = await host.api.post('/api/backup/start', { repository: repository.path });
  if (answer.status === 200) {
    const job = await endedJob(host.api, answer.body.job_id);
    expect(job.status).toBe('failed');
    expect(job.error_message).toContain(gone);
  } else {
    expectRefusal(answer, 400, /gone/);
  }
  expect(await archivesOf(host.api, repository.path)).toEqual([]);
});

test('warns and names the missing one of two sources', async () => {
  const gone = join(host.sshd.home, 'data', 'gone');
  const repository = await host.create('half', { source_directories: [gone, host.tree] });
  const job = await host.pull(repository);
  expect(job.status).toBe('completed_with_warnings');
  expect(job.error_message).toContain(gone);
  expect(await archivesOf(host.api, repository.path)).toHaveLength(1);
});

test('warns of an unreadable file and saves the rest', async () => {
  const folder = host.sshd.ownFolder('partly');
  makeFiles(folder, 3);
  writeFileSync(join(folder, 'of-root'), 'secret', { mode: 0o600 });
  const repository = await host.create('partly', { source_directories: [folder] });
  const job = await backUp(host.api, repository.path);
  const words = `${job.error_message}\n${await host.logOf(job)}`;
  expect([job.status, words]).toEqual(['completed_with_warnings', expect.stringContaining('of-root')]);
  const items = await contentsOf(host.api, {
    repository: repository.path,
    archive: job.archive_name ?? '',
    path: archived(folder),
  });
  expect(items.map(({ name }) => name)).toEqual(['dir-0000']);
});

test('fails for emptied, linked or closed sources alone, and warns otherwise', async () => {
  const told = { empty: 'is empty', linked: 'is a symlink to', closed: 'Permission denied' };
  const folders = Object.keys(told).map((name) => host.sshd.ownFolder(name));
  for (const folder of folders) makeFiles(folder, 2);
  const alone = await host.create('odd-alone', { source_directories: folders });
  const beside = await host.create('odd-beside', { source_directories: [...folders, host.tree] });
  for (const { path } of [alone, beside]) expect((await backUp(host.api, path)).status).toBe('completed');

  const [empty = '', linked = '', closed = ''] = folders;
  for (const folder of [empty, linked]) rmSync(folder, { recursive: true });
  host.sshd.ownFolder('empty');
  symlinkSync(host.tree, linked);
  chmodSync(closed, 0);

  const all = Object.values(told).flatMap((words, n) => [folders[n] ?? '', words]);
  const nothing = await backUp(host.api, alone.path);
  expect(nothing.status).toBe('failed');
  for (const words of all) expect(nothing.error_message).toContain(words);
  expect(await archivesOf(host.api, alone.path)).toHaveLength(1);
  const some = await backUp(host.api, beside.path);
  expect(some.status).toBe('completed_with_warnings');
  for (const words of all) expect(some.error_message).toContain(words);
});

test('saves single files and odd names as sources', async () => {
  const odd = join(host.sshd.ownFolder('odd'), "-it's $(id) `x`; *");
  mkdirSync(odd);
  makeFiles(odd, 2);
  host.sshd.own(odd);
  const file = join(host.tree, 'private');
  const repository = await host.create('odd', { source_directories: [odd, file] });
  const job = await backUp(host.api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const place = { repository: repository.path, archive: job.archive_name ?? '' };
  expect((await contentsOf(host.api, { ...place, path: archived(odd) })).length).toBeGreaterThan(0);
  expect((await download(host.api, { ...place, path: archived(file) })).bytes).toHaveLength(5_000);
});

test('backs up from one host to another', async () => {
  const repository = await host.create('both', {
    path: join(host.sshd.home, 'both'),
    connection_id: host.connection.id,
  });
  const job = await backUp(host.api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const items = await contentsOf(host.api, {
    repository: repository.path,
    archive: job.archive_name ?? '',
    path: archived(host.tree),
  });
  expect(items.map(({ name }) => name)).toContain('private');
});
