import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, endedJob, expectRefusal, runningJob, startBackup } from '../actions.js';
import type { Answer, Api } from '../api.js';
import { isDeep } from '../lane.js';
import { TestServer } from '../server.js';
import { babblingHost, type OddHost, silentHost } from '../services/odd-hosts.js';
import { TestSshd } from '../services/sshd.js';
import { connectionActions, connections, systemKey } from '../ssh-actions.js';
import { makeEndlessFiles } from '../trees.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
const odd: OddHost[] = [];
let triesOfOdd: Promise<Answer>[] = [];

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start()]);
  api = await server.login();
});
afterAll(async () => {
  for (const host of odd) await host.close();
  await server?.remove();
  await sshd?.remove();
});

const setUp = (body: object) =>
  api.post('/api/ssh-keys/quick-setup', { name: 'k', key_type: 'ed25519', ...body });
let id: number;
let keyId: number;
const actions = () => connectionActions(api, id);

test('creates one connection and one key for two concurrent set-ups', async () => {
  const both = await Promise.all([setUp(sshd.login), setUp(sshd.login)]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(await connections(api)).toHaveLength(1);
  expect(sshd.authorizedKeys()).toHaveLength(1);
  const key = await systemKey(api);
  expect(sshd.authorizedKeys()[0]).toContain(key?.public_key.split(' ')[1]);
  id = (await connections(api))[0]?.id ?? 0;
  keyId = key?.id ?? 0;
  expect((await actions().test()).body).toMatchObject({ success: true });
  // Holdfast gives them up after 15 s, while the other tests run.
  odd.push(await silentHost(), await babblingHost());
  triesOfOdd = odd.map(({ host, port }) =>
    api.post(`/api/ssh-keys/${keyId}/deploy`, { host, port, username: 'u', password: 'p' }),
  );
});

test('refuses a hostile host or user in an update and changes nothing', async () => {
  const before = await actions().show();
  for (const text of ['-oProxyCommand=id', 'a b', 'a;id', 'a$(id)', 'a\nb', "a'b", '']) {
    expectRefusal(await actions().update({ host: text }), 400);
    expectRefusal(await actions().update({ username: text }), 400);
  }
  for (const port of [0, 70_000, '22', null]) expectRefusal(await actions().update({ port }), 400);
  for (const path of ['a\0b', 'a\nb']) {
    expectRefusal(await actions().update({ default_path: path }), 400);
    expectRefusal(await actions().update({ ssh_path_prefix: path }), 400);
  }
  expectRefusal(await actions().update({ ssh_path_prefix: '/a/../b' }), 400);
  expect(await actions().show()).toEqual(before);
});

test('treats paths with shell characters only as paths', async () => {
  const marker = join(sshd.home, 'marker');
  for (const path of [
    `/x; touch ${marker}`,
    `/x$(touch ${marker})`,
    `/x\`touch ${marker}\``,
    `/x' ; touch ${marker} ; '`,
    `/x" ; touch ${marker} ; "`,
    `/-rf`,
    `/--help`,
    '/ä ö*?[x]{a,b}~!#&|<>',
  ]) {
    expect((await actions().update({ default_path: path })).status).toBe(200);
    expect((await actions().refreshStorage()).body).toMatchObject({ success: false, storage: null });
    for (const use_sftp_mode of [true, false]) {
      await actions().update({ use_sftp_mode });
      expect([path, (await actions().browse(path)).status]).toEqual([path, 404]);
    }
  }
  expect(existsSync(marker)).toBe(false);
  for (const path of ['relative', '/a/../b', '/a//b', '/a\0b', '']) {
    expectRefusal(await actions().browse(path), 400);
  }
  expect((await actions().show())?.status).toBe('connected');
});

test('treats repository paths with shell characters only as paths', async () => {
  const source = server.workspace.folder('source');
  const all = '-rf it\'s $(touch marker) `id`; x ü % {now} \\ "q"';
  const apart = ["it's $(touch marker) `id`; x", '-rf', 'ü % {now} \\ "q"'];
  for (const name of isDeep ? [all, ...apart] : [all]) {
    const made = await api.post('/api/repositories/', {
      name,
      path: join(sshd.home, 'odd', name),
      connection_id: id,
      passphrase: 'p',
      source_directories: [source],
    });
    expect(made.text).toContain('"success":true');
    expect(existsSync(join(sshd.home, 'odd', name, 'config'))).toBe(true);
  }
  const tool = await api.post('/api/repositories/', {
    name: 'tool',
    path: join(sshd.home, 'tool'),
    connection_id: id,
    passphrase: 'p',
    source_directories: [source],
    remote_path: 'borg; touch marker; borg',
  });
  expectRefusal(tool, tool.status, /remote_path/);
  expect(tool.status).toBeGreaterThanOrEqual(400);
  expect(existsSync(join(sshd.home, 'tool'))).toBe(false);
  expect(existsSync(join(sshd.home, 'marker'))).toBe(false);
  for (const path of ['/a/../b', '/a\0b', 'ssh://other@host/x/../y', '']) {
    const body = { name: 'n', path, connection_id: id, passphrase: 'p', source_directories: [source] };
    expectRefusal(await api.post('/api/repositories/', body), 400);
  }
});

test('answers 404 for missing connections', async () => {
  for (const step of ['test', 'refresh-storage']) {
    expectRefusal(await api.post(`/api/ssh-keys/connections/4711/${step}`), 404);
  }
  expectRefusal(await api.post('/api/ssh-keys/connections/4711/redeploy', { password: 'p' }), 404);
  expectRefusal(await actions().redeploy(undefined as never), 400);
  expectRefusal(await api.put('/api/ssh-keys/connections/4711', { port: 22 }), 404);
  expectRefusal(await api.delete('/api/ssh-keys/connections/4711'), 404);
  expectRefusal(await api.get('/api/ssh-keys/connections/4711/browse'), 404);
  expectRefusal(await api.delete('/api/ssh-keys/4711'), 404);
  expectRefusal(await api.post('/api/ssh-keys/4711/deploy', sshd.login), 404);
  for (const bad of ['0', '-1', 'x', '1e3', '99999999999999999999']) {
    expectRefusal(await api.post(`/api/ssh-keys/connections/${bad}/test`), 400);
  }
});

test('reports a wrong password on redeploy, and keeps the working key', async () => {
  const answer = await actions().redeploy('wrong');
  expect([answer.status, answer.body.success]).toEqual([200, false]);
  expect(answer.body.error).toMatch(/password/i);
  expect((await actions().test()).body).toMatchObject({ success: true });
});

test('stores a bounded error for a host with no or wrong responses', async () => {
  for (const answer of await Promise.all(triesOfOdd)) {
    expect([answer.status, answer.body.success]).toEqual([200, false]);
  }
  for (const host of odd) {
    const row = (await connections(api)).find(({ port }) => port === host.port);
    expect(row).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/SSH|respond/) });
    expect((await connectionActions(api, row?.id ?? 0).remove()).status).toBe(200);
  }
});

test('keeps the key and the connection while a job needs them', async () => {
  const source = server.workspace.folder('endless');
  makeEndlessFiles(source);
  const repository = await createRepository(api, {
    name: 'slow',
    path: join(sshd.home, 'slow'),
    connection_id: id,
    source_directories: [source],
  });
  const job = await startBackup(api, repository.path);
  await runningJob(api, job);
  expectRefusal(await api.delete(`/api/ssh-keys/${keyId}`), 409, /job|running/);
  expectRefusal(await actions().remove(), 409, /job|running/);
  await api.post(`/api/backup/cancel/${job}`);
  await endedJob(api, job);
  expect((await api.delete(`/api/ssh-keys/${keyId}`)).status).toBe(200);
  expect(await actions().show()).toMatchObject({ status: 'failed', ssh_key_id: null });
  const { body } = await api.get(`/api/repositories/${repository.id}`);
  expect(body.repository).toMatchObject({ connection_id: id, ssh_key_id: null });
  expect((await actions().remove()).status).toBe(200);
});
