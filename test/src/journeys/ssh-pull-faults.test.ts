import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archived,
  archivesOf,
  backUp,
  contentsOf,
  download,
  endedJob,
  expectRefusal,
  runningJob,
  startBackup,
} from '../actions.js';
import { PullFixture } from '../pull-fixture.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let host: PullFixture;

beforeAll(async () => {
  host = await PullFixture.start();
});
afterAll(() => host?.remove());

test('the only one: failed, named, and no archive', async () => {
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

test('one of two: warnings, named', async () => {
  const gone = join(host.sshd.home, 'data', 'gone');
  const repository = await host.create('half', { source_directories: [gone, host.tree] });
  const job = await host.pull(repository);
  expect(job.status).toBe('completed_with_warnings');
  expect(job.error_message).toContain(gone);
  expect(await archivesOf(host.api, repository.path)).toHaveLength(1);
});

test('a file that may not be read: warnings, named, the rest is there', async () => {
  const folder = host.sshd.ownFolder('partly');
  makeFiles(folder, 3);
  writeFileSync(join(folder, 'of-root'), 'secret', { mode: 0o600 });
  const repository = await host.create('partly', { source_directories: [folder] });
  const job = await backUp(host.api, repository.path);
  const words = `${job.error_message}\n${await host.logOf(job)}`;
  expect([job.status, words]).toEqual(['completed_with_warnings', expect.stringContaining('of-root')]);
  const items = await contentsOf(host.api, {
    ...{ repository: repository.path, archive: job.archive_name ?? '' },
    path: archived(folder),
  });
  expect(items.map(({ name }) => name)).toEqual(['dir-0000']);
});

test('single files and odd names as sources', async () => {
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

test.each([false, true])(
  'the line goes dead in the middle (trusted: %s): failed, and the next run succeeds',
  async (trusted) => {
    await host.actions.update({ trusted });
    const large = host.sshd.ownFolder('large');
    if (readdirSync(large).length === 0) makeRandomFiles(large, 10, 16);
    const repository = await host.create(`dead-${trusted}`, {
      ...{ source_directories: [large], compression: 'zlib,9' },
    });
    const id = await startBackup(host.api, repository.path);
    await runningJob(host.api, id);
    expect(host.sshd.killSessions()).toBeGreaterThan(0);
    const job = await endedJob(host.api, id, 60_000);
    expect(job.status).toBe('failed');
    expect(job.error_message).toMatch(/connection|closed|lost/i);
    expect(await archivesOf(host.api, repository.path)).toEqual([]);
    await waitFor(() => host.sshd.commands().length === 0, {
      what: 'the end of the session',
      timeoutMs: 10_000,
    });
    await host.api.put(`/api/repositories/${repository.id}`, {
      source_directories: [host.tree],
      compression: 'lz4',
    });
    const next = await backUp(host.api, repository.path);
    expect([next.status, next.error_message]).toEqual(['completed', null]);
    await host.actions.update({ trusted: false });
  },
);

test('a cancelled pull ends on the host too', async () => {
  const repository = await host.create('cancelled', {
    source_directories: [join(host.sshd.home, 'large')],
    compression: 'zlib,9',
  });
  const id = await startBackup(host.api, repository.path);
  await runningJob(host.api, id);
  expect((await host.api.post(`/api/backup/cancel/${id}`)).status).toBe(200);
  expect((await endedJob(host.api, id, 20_000)).status).toBe('cancelled');
  await waitFor(() => host.sshd.commands().length === 0, {
    what: 'the end of the session',
    timeoutMs: 10_000,
  });
  expect(await archivesOf(host.api, repository.path)).toEqual([]);
});

test('from one host to another: the repository and the data are both remote', async () => {
  const repository = await host.create('both', {
    path: join(host.sshd.home, 'both'),
    connection_id: host.connection.id,
  });
  const job = await backUp(host.api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const items = await contentsOf(host.api, {
    ...{ repository: repository.path, archive: job.archive_name ?? '' },
    path: archived(host.tree),
  });
  expect(items.map(({ name }) => name)).toContain('private');
});

test('a source connection that goes away: its backups fail and say so, never saving this machine instead', async () => {
  const repository = await host.create('orphan');
  expect((await host.actions.remove()).status).toBe(200);
  const answer = await host.api.post('/api/backup/start', { repository: repository.path });
  if (answer.status === 200) {
    const job = await endedJob(host.api, answer.body.job_id);
    expect(job).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/connection/) });
  } else {
    expect(answer.body.detail).toMatch(/connection/);
  }
  expect(await archivesOf(host.api, repository.path)).toEqual([]);
});
