import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import type { SshdOptions } from '../services/sshd-config.js';
import {
  connectionActions,
  connectionTo,
  deploy,
  deployAnswer,
  generateKey,
  type SystemKey,
} from '../ssh-actions.js';
import { makeFiles } from '../trees.js';

const call = promisify(execFile);

let server: TestServer;
let api: Api;
let key: SystemKey;
let sshd: TestSshd;
let source: string;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  // Somebody else's file is in the way of the key: it works all the same.
  mkdirSync(join(server.dataDirectory, '.ssh'));
  writeFileSync(foreignFile(), 'the key of somebody\n');
  key = await generateKey(api);
  source = server.workspace.folder('source');
  makeFiles(source, 10);
});
afterAll(() => server?.remove());
afterEach(() => sshd?.remove());

const foreignFile = () => join(server.dataDirectory, '.ssh', 'holdfast_ed25519');
const start = async (options: SshdOptions = {}) => {
  sshd = await TestSshd.start(options);
};
const material = (line: string) => line.split(' ').slice(0, 2).join(' ');

test('uses a host with SFTP only for keys, but refuses repositories', async () => {
  await start({ sftpOnly: true });
  const { id } = await deploy(api, sshd);
  expect(sshd.authorizedKeys()).toHaveLength(1);
  const actions = connectionActions(api, id);
  expect((await actions.test()).body).toMatchObject({ success: true, status: 'connected' });
  const storage = await actions.refreshStorage();
  expect([storage.status, storage.body.storage]).toEqual([200, null]);
  expect((await actions.browse(sshd.home)).status).toBe(200);
  const answer = await api.post('/api/repositories/', {
    name: 'sftp',
    path: join(sshd.home, 'r'),
    connection_id: id,
    passphrase: 'p',
    source_directories: [source],
  });
  expect([400, 500, 503]).toContain(answer.status);
  expectRefusal(answer, answer.status, /borg|command/i);
  // The host was reached: that is no failure of the connection.
  expect(await actions.show()).toMatchObject({ status: 'connected' });
});

test('supports a host that locks the account into its home', async () => {
  await start({ sftpOnly: 'chroot' });
  const { id } = await deploy(api, sshd);
  expect(sshd.authorizedKeys().map(material)).toEqual([material(key.public_key)]);
  const { body } = await connectionActions(api, id).browse('/');
  expect(body.items.map(({ name }: { name: string }) => name)).toContain('data');
});

test('deploys by shell to a host without SFTP, and names the missing SFTP', async () => {
  await start({ sftp: false });
  const answer = await deployAnswer(api, { ...sshd.login, use_sftp_mode: true });
  expect(answer.body.success).toBe(false);
  expect(answer.body.connection.error_message).toMatch(/SFTP/);
  const { id } = await deploy(api, sshd, { use_sftp_mode: false });
  expect((await connectionActions(api, id).browse(sshd.home)).status).toBe(200);
  const repository = await createRepository(api, {
    name: 'no-sftp',
    path: join(sshd.home, 'r'),
    connection_id: id,
    source_directories: [source],
  });
  expect((await backUp(api, repository.path)).status).toBe('completed');
  expect(readFileSync(foreignFile(), 'utf8')).toBe('the key of somebody\n');
});

test('tolerates a host whose shell prints text', async () => {
  const shellStart = 'echo "Welcome, 100% free: / 1 2 3 4 5%"';
  await start({ shellStart, more: ['Banner /etc/os-release'] });
  const { id } = await deploy(api, sshd, { use_sftp_mode: false, default_path: sshd.home });
  expect(sshd.authorizedKeys().map(material)).toEqual([material(key.public_key)]);
  const actions = connectionActions(api, id);
  expect((await actions.test()).body).toMatchObject({ success: true });
  const { total } = (await actions.refreshStorage()).body.storage;
  const { stdout } = await call('df', ['-P', '-k', sshd.home]);
  expect(total).toBe(Number(stdout.trim().split('\n')[1]?.split(/\s+/)[1]) * 1024);
  const answer = await api.post('/api/repositories/', {
    name: 'talks',
    path: join(sshd.home, 'r'),
    connection_id: id,
    passphrase: 'p',
    source_directories: [source],
  });
  expect([400, 500, 503]).toContain(answer.status);
  expectRefusal(answer, answer.status, /Welcome|protocol|shell|unexpected/i);
});

test('keeps the key on a host with a forced command, without storage values', async () => {
  await start();
  await deploy(api, sshd);
  await sshd.remove();
  await start({ forceCommand: '/bin/echo command not found' });
  const answer = await deployAnswer(api, { ...sshd.login, use_sftp_mode: false });
  expect(answer.body.success).toBe(false);
  sshd.ownFolder('.ssh');
  writeFileSync(sshd.authorizedKeysFile, `${key.public_key}\n`);
  const { id } = await connectionTo(api, sshd);
  const actions = connectionActions(api, id);
  expect((await actions.test()).body).toMatchObject({ success: true, status: 'connected' });
  expect((await actions.refreshStorage()).body).toMatchObject({ success: false, storage: null });
});

test('connects to a host without passwords after a manual deployment', async () => {
  await start({ passwords: false });
  const answer = await deployAnswer(api, sshd.login);
  expect(answer.body.success).toBe(false);
  sshd.ownFolder('.ssh');
  writeFileSync(sshd.authorizedKeysFile, `${key.public_key}\n`);
  const { host, port, username } = sshd;
  const made = await api.post(`/api/ssh-keys/${key.id}/test-connection`, { host, port, username });
  expect(made.body).toMatchObject({ success: true, connection: { status: 'connected' } });
});
