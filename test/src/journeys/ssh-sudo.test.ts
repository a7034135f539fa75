import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sudoRule } from '../../../scripts/services/ssh-accounts.mjs';
import { backUp, endedJob, runningJob, startBackup } from '../actions.js';
import { allProcesses } from '../processes.js';
import { PullFixture } from '../pull-fixture.js';
import { makeEndlessFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let host: PullFixture;
let folder: string;
const secret = Buffer.from([...'only root reads this\n'].flatMap((c, at) => [c.charCodeAt(0), at]));

beforeAll(async () => {
  host = await PullFixture.start();
  folder = host.sshd.ownFolder('mixed');
  writeFileSync(join(folder, 'plain'), 'plain');
  writeFileSync(join(folder, 'of-root'), secret, { mode: 0o600 });
});
afterAll(() => host?.remove());

const preflight = async () => {
  const { body } = await host.api.post('/api/preflight', {
    path: join(host.server.workspace.path, 'stores', 'new'),
    source_directories: [folder],
    source_connection_id: host.connection.id,
  });
  return body;
};

test('reports a file of root as unread without sudo', async () => {
  expect(await preflight()).toMatchObject({ unreadable: { count: 1, paths: [join(folder, 'of-root')] } });
  const repository = await host.create('without', { source_directories: [folder] });
  expect(await backUp(host.api, repository.path)).toMatchObject({
    status: 'completed_with_warnings',
    error_message: expect.stringContaining(join(folder, 'of-root')),
  });
});

test('explains the required rule if sudo asks for a password', async () => {
  const { body } = await host.actions.update({ sudo: true });
  expect(body).toMatchObject({ connection: { sudo: true, status: 'unknown' } });
  const said = `sudo on 127.0.0.1 asks for a password. To allow it, write this line to /etc/sudoers.d/holdfast there: ${host.sshd.username} ALL=(root) NOPASSWD: /bin/sh`;
  const tried = await host.actions.test();
  expect(tried.body).toMatchObject({ success: false, status: 'failed', error: said });
  const answer = await host.api.post('/api/preflight', {
    path: '/new',
    source_directories: [folder],
    source_connection_id: host.connection.id,
  });
  expect([answer.status, answer.body.detail]).toEqual([409, said]);
  expect((await host.actions.browse(folder)).body.detail).toBe(said);
  const repository = await host.create('refused', { source_directories: [folder] });
  expect(await backUp(host.api, repository.path)).toMatchObject({ status: 'failed', error_message: said });
  host.sshd.allowSudo('/bin/true');
  expect((await host.actions.test()).body.error).toMatch(/^sudo on 127.0.0.1 asks for a password/);
});

test.each([false, true])('reads files of root with sudo (trusted: %s)', async (trusted) => {
  host.sshd.allowSudo();
  await host.actions.update({ trusted });
  expect((await host.actions.test()).body).toMatchObject({ success: true, status: 'connected' });
  expect(await preflight()).toMatchObject({ files: 2, unreadable: { count: 0 } });
  const { body } = await host.actions.browse('/root');
  expect(body).toMatchObject({ success: true, current_path: '/root' });

  const repository = await host.create(`with-sudo-${trusted}`, { source_directories: [folder] });
  const job = await host.pull(repository);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  await host.actions.update({ trusted: false });
  expect(await host.logOf(job)).toMatch(trusted ? /borg .* reads the data/ : /tar stream/);
  const there = host.extracted(repository, job.archive_name ?? '');
  const found = readFileSync(join(there, relative(host.tree, folder), 'of-root'));
  expect(found.equals(secret)).toBe(true);
});

test('ends root processes when the backup is cancelled', async () => {
  const endless = host.sshd.ownFolder('endless');
  makeEndlessFiles(endless);
  const running = () =>
    allProcesses().filter(({ uid, command }) => uid === 0 && command.includes(endless.slice(1)));
  const repository = await host.create('cancelled', { source_directories: [endless] });
  const id = await startBackup(host.api, repository.path);
  await runningJob(host.api, id);
  await waitFor(() => running().length > 0, { what: 'tar as root' });
  await host.api.post(`/api/backup/cancel/${id}`);
  expect((await endedJob(host.api, id)).status).toBe('cancelled');
  await waitFor(() => running().length === 0, { what: 'the end of tar', timeoutMs: 60_000 });
});

test('leaves no process and no rule behind', async () => {
  expect(host.sshd.commands()).toEqual([]);
  await host.actions.update({ sudo: false });
  rmSync(sudoRule(host.sshd.username));
  expect((await host.actions.test()).body.success).toBe(true);
  expect(existsSync(sudoRule(host.sshd.username))).toBe(false);
});
