import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, archivesOf, contentsOf, download, type Job, type Repository } from '../actions.js';
import { asTarKeeps, treeFacts } from '../oracles/tree-facts.js';
import { PullFixture } from '../pull-fixture.js';

let host: PullFixture;
let repository: Repository;
let job: Job;

beforeAll(async () => {
  host = await PullFixture.start();
});
afterAll(() => host?.remove());

test('every kind of file arrives as it was', async () => {
  repository = await host.create('tar');
  expect(repository).toMatchObject({ source_ssh_connection_id: host.connection.id, connection_id: null });
  job = await host.pull(repository);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(asTarKeeps(treeFacts(host.extracted(repository, job.archive_name ?? '')))).toEqual(
    asTarKeeps(treeFacts(host.tree)),
  );
  expect(host.sshd.commands()).toEqual([]);
});

test('its log says what that way costs', async () => {
  const log = await host.logOf(job);
  expect(log).toMatch(/extended attributes|xattr/i);
  expect(log).toMatch(/all data|reads all|every run/i);
});

test('is browsed and downloaded under the paths of the host', async () => {
  const place = { repository: repository.path, archive: job.archive_name ?? '' };
  const items = await contentsOf(host.api, { ...place, path: archived(host.tree) });
  expect(items.map(({ name }) => name)).toContain('private');
  const file = await download(host.api, { ...place, path: archived(join(host.tree, 'private')) });
  expect(file.bytes.equals(readFileSync(join(host.tree, 'private')))).toBe(true);
});

test('a second run adds an archive and next to no data', async () => {
  const second = await host.pull(repository);
  expect(second.status).toBe('completed');
  expect(await archivesOf(host.api, repository.path)).toHaveLength(2);
});

test('patterns leave out what they name', async () => {
  const some = await host.create('some', { exclude_patterns: ['*/sticky', '*.txt'] });
  const done = await host.pull(some);
  expect([done.status, done.error_message]).toEqual(['completed', null]);
  const items = await contentsOf(host.api, {
    ...{ repository: some.path, archive: done.archive_name ?? '' },
    path: archived(host.tree),
  });
  expect(items.map(({ name }) => name)).not.toContain('sticky');
  expect(items.map(({ name }) => name)).toContain('private');
});
