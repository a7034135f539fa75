import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, expectRefusal, passphrase, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, quickSetup, sshLocation } from '../ssh-actions.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let source: string;
let connection: Connection;
let repository: Repository;

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start()]);
  api = await server.login();
  connection = await quickSetup(api, sshd);
  source = server.workspace.folder('source');
  makeFiles(source, 3);
  repository = await createRepository(api, {
    name: 'remote',
    path: remote('r'),
    connection_id: connection.id,
    source_directories: [source],
  });
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const actions = () => connectionActions(api, connection.id);
const remote = (...parts: string[]) => join(sshd.home, ...parts);

async function isBackedUp(repository: Repository): Promise<void> {
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
}

test('refuses a used path and reports a path without a repository', async () => {
  const input = { passphrase, connection_id: connection.id, source_directories: [source] };
  const taken = { ...input, name: 'x', path: repository.path };
  expectRefusal(await api.post('/api/repositories/', taken), 409);
  const none = { ...input, name: 'x', path: remote('nothing here') };
  expectRefusal(await api.post('/api/repositories/import', none), 400);
  expect(existsSync(remote('nothing here'))).toBe(false);
  const forbidden = { ...input, name: 'x', path: '/etc/holdfast-test/r' };
  expectRefusal(await api.post('/api/repositories/', forbidden), 400, /etc\/holdfast-test|permi/i);
  const unknown = { ...input, name: 'x', path: remote('y'), connection_id: 4711 };
  expectRefusal(await api.post('/api/repositories/', unknown), 404, /connection/);
  const bare = { ...input, name: 'x', path: repository.path, connection_id: undefined };
  expectRefusal(await api.post('/api/repositories/', bare), 400, /connection_id/);
});

test('applies the prefix to paths once', async () => {
  expect((await actions().update({ ssh_path_prefix: sshd.home.slice(1) })).status).toBe(200);
  expect(await actions().show()).toMatchObject({ ssh_path_prefix: sshd.home });
  const input = { connection_id: connection.id, source_directories: [source] };
  const made = await createRepository(api, { ...input, name: 'prefixed', path: '/prefixed' });
  expect(made.path).toBe(sshLocation(sshd, remote('prefixed')));
  await isBackedUp(made);
  await api.delete(`/api/repositories/${made.id}`);
  const again = await api.post('/api/repositories/import', {
    ...input,
    name: 'prefixed',
    path: made.path,
    passphrase,
  });
  expect(again.body).toMatchObject({ repository: { path: made.path } });
  expect((await actions().update({ ssh_path_prefix: null })).status).toBe(200);
});

test('follows its connection to another host name and keeps the pinned key', async () => {
  const pinned = connection.host_key_fingerprint;
  expect((await actions().update({ host: 'localhost' })).status).toBe(200);
  expect(await actions().show()).toMatchObject({ status: 'unknown', host_key_fingerprint: pinned });
  const { body } = await api.get(`/api/repositories/${repository.id}`);
  expect(body.repository).toMatchObject({
    host: 'localhost',
    path: repository.path.replace('127.0.0.1', 'localhost'),
  });
  await isBackedUp(body.repository);
  // Real use counts as a test does.
  expect(await actions().show()).toMatchObject({ status: 'connected', host_key_fingerprint: pinned });
  expect((await actions().update({ host: sshd.host })).status).toBe(200);
});

test('finds borg by its remote name in a preflight', async () => {
  const tool = join(sshd.ownFolder('tools'), 'borg1');
  writeFileSync(tool, '#!/bin/sh\n[ "$1" = --version ] && echo borg1 1.2.99\n', { mode: 0o755 });
  const found = async (remote_path: string) => {
    const place = { path: './looked-at', connection_id: connection.id, remote_path };
    const { body } = await api.post('/api/preflight', { source_directories: [source], ...place });
    return [body.tool, body.warnings.some(({ code }: { code: string }) => code === 'tool_not_found')];
  };
  expect([await found(tool), await found('/no/such/borg')]).toEqual([
    ['borg1 1.2.99', false],
    [null, true],
  ]);
});

test('names a missing tool', async () => {
  const changed = await api.put(`/api/repositories/${repository.id}`, { remote_path: '/no/such/borg' });
  expect(changed.status).toBe(200);
  const job = await backUp(api, repository.path);
  expect(job).toMatchObject({ status: 'failed', error_message: expect.stringContaining('remote_path') });
  await api.put(`/api/repositories/${repository.id}`, { remote_path: '/usr/bin/borg' });
  await isBackedUp(repository);
});

test('survives the removal of its connection and reports it', async () => {
  expect((await actions().remove()).status).toBe(200);
  const { body } = await api.get(`/api/repositories/${repository.id}`);
  expect(body.repository).toMatchObject({ connection_id: null, path: repository.path });
  const answer = await api.post('/api/backup/start', { repository: repository.path });
  if (answer.status === 200) {
    const job = await backUp(api, repository.path);
    expect(job).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/connection/) });
  } else {
    expect(answer.body.detail).toMatch(/connection/);
  }
  expect(existsSync(remote('r', 'config'))).toBe(true);
});
