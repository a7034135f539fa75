import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, expectRefusal, type Repository } from '../actions.js';
import { treeFacts } from '../oracles/tree-facts.js';
import { PullFixture } from '../pull-fixture.js';
import { connectionActions } from '../ssh-actions.js';
import { makeFiles } from '../trees.js';

let host: PullFixture;
let repository: Repository;

beforeAll(async () => {
  host = await PullFixture.start();
});
afterAll(() => host?.remove());

test('lets only an administrator mark a host as trusted', async () => {
  await host.api.post('/api/auth/users', { username: 'anna', password: 'a password for anna' });
  const anna = await host.server.login('anna', 'a password for anna');
  const annas = connectionActions(anna, host.connection.id);
  expectRefusal(await annas.update({ trusted: true }), 403);
  expect((await annas.show())?.trusted).toBe(false);
  const marked = await host.actions.update({ trusted: true });
  expect(marked.body).toMatchObject({ connection: { trusted: true } });
  expectRefusal(await annas.update({ trusted: false }), 403);
});

test('transfers attributes and nanoseconds', async () => {
  repository = await host.create('tool');
  const job = await host.pull(repository);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(treeFacts(host.extracted(repository, job.archive_name ?? ''))).toEqual(treeFacts(host.tree));
  expect(await host.logOf(job)).not.toMatch(/tar stream/i);
  // Nothing of it stays on the host.
  expect(host.sshd.commands()).toEqual([]);
  expect((await host.pull(repository)).status).toBe('completed');
  expect(await archivesOf(host.api, repository.path)).toHaveLength(2);
});

test('marks the archive with its origin like any other', async () => {
  const [archive] = await archivesOf(host.api, repository.path);
  const { body } = await host.api.get(`/api/archives/${archive?.name}/info`, { repository: repository.path });
  expect(body.success).toBe(true);
  const info = JSON.parse(host.borg(['info', '--json', `${repository.path}::${archive?.name}`]));
  expect(info.archives[0].comment).toMatch(/^holdfast:2:/);
});

test('keeps a keyfile on this server, uses tar and logs the reason', async () => {
  const kept = await host.create('kept', { encryption: 'keyfile' });
  const job = await host.pull(kept);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(await host.logOf(job)).toMatch(/tar/i);
});

test('fails for an unreadable or emptied folder on the host', async () => {
  const folder = host.sshd.ownFolder('closed');
  makeFiles(folder, 2);
  const repository = await host.create('tool-closed', { source_directories: [folder] });
  expect((await host.pull(repository)).status).toBe('completed');
  chmodSync(folder, 0);
  const closed = await backUp(host.api, repository.path);
  expect([closed.status, closed.error_message]).toEqual(['failed', expect.stringContaining(folder)]);
  rmSync(folder, { recursive: true });
  host.sshd.ownFolder('closed');
  const empty = await backUp(host.api, repository.path);
  expect([empty.status, empty.error_message]).toEqual([
    'failed',
    expect.stringContaining(`${folder} is empty`),
  ]);
  expect(await archivesOf(host.api, repository.path)).toHaveLength(1);
});

test('uses the configured file name of borg on the host', async () => {
  const tool = join(host.server.workspace.folder('tools'), 'borg-linux64');
  const script = '#!/bin/sh\n[ "$1" = --version ] && echo borg-linux64 1.2.4 && exit\nexec borg "$@"\n';
  writeFileSync(tool, script, { mode: 0o755 });
  const named = await host.create('tool-named', { remote_path: tool });
  const job = await host.pull(named);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(await host.logOf(job)).not.toMatch(/tar stream|is not used/i);
});

test('names a missing source on the host', async () => {
  const some = await host.create('tool-some', {
    source_directories: [host.tree, join(host.sshd.home, 'data', 'gone')],
  });
  const job = await host.pull(some);
  expect(job.status).toBe('completed_with_warnings');
  expect(job.error_message).toContain(join(host.sshd.home, 'data', 'gone'));
});
