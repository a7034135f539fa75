import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { backUp, createRepository, expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import type { SshdOptions } from '../services/sshd-config.js';
import {
  connectionActions,
  connections,
  connectionTo,
  deploy,
  deployAnswer,
  generateKey,
  type SystemKey,
} from '../ssh-actions.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let api: Api;
let key: SystemKey;
let sshd: TestSshd;
let source: string;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  key = await generateKey(api);
  source = server.workspace.folder('source');
  makeFiles(source, 10);
});
afterAll(() => server?.remove());
afterEach(() => sshd?.remove());

const start = async (options: SshdOptions = {}) => {
  sshd = await TestSshd.start(options);
};
const material = (line: string) => line.split(' ').slice(0, 2).join(' ');
const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8);

function expectOwnModes(): void {
  expect([mode(join(sshd.home, '.ssh')), mode(sshd.authorizedKeysFile)]).toEqual(['700', '600']);
  expect(statSync(sshd.authorizedKeysFile).uid).toBe(sshd.account.uid);
}

describe.each([
  { way: 'over SFTP', use_sftp_mode: true },
  { way: 'by the shell', use_sftp_mode: false },
])('$way', ({ use_sftp_mode }) => {
  test('into a home without the folder; twice leaves one line', async () => {
    await start();
    const first = await deploy(api, sshd, { use_sftp_mode });
    expect(sshd.authorizedKeys().map(material)).toEqual([material(key.public_key)]);
    expectOwnModes();
    const second = await deploy(api, sshd, { use_sftp_mode, default_path: sshd.home });
    expect(second).toMatchObject({ id: first.id, default_path: sshd.home, use_sftp_mode });
    expect((await connectionActions(api, first.id).redeploy(sshd.password)).body).toMatchObject({
      success: true,
    });
    expect(sshd.authorizedKeys()).toHaveLength(1);
  });

  test('keeps existing lines, even an unterminated last one', async () => {
    await start();
    sshd.ownFolder('.ssh');
    const before = '# a comment\n\nssh-ed25519 AAAAsomebody else \r\ncommand="x y",restrict ssh-rsa AAAA z';
    writeFileSync(sshd.authorizedKeysFile, before);
    sshd.own(sshd.authorizedKeysFile);
    chmodSync(sshd.authorizedKeysFile, 0o664);
    chmodSync(join(sshd.home, '.ssh'), 0o775);
    await deploy(api, sshd, { use_sftp_mode });
    const after = readFileSync(sshd.authorizedKeysFile, 'utf8');
    expect(after.startsWith(`${before}\n`)).toBe(true);
    expect(after.slice(before.length + 1).trim()).toContain(material(key.public_key));
    expect(after.endsWith('\n')).toBe(true);
    expectOwnModes();
  });

  test('reports a wrong password and writes nothing', async () => {
    await start();
    const answer = await deployAnswer(api, { ...sshd.login, password: 'wrong', use_sftp_mode });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: false, connection: { status: 'failed' } });
    expect(answer.body.connection.error_message).toMatch(/password|sign in/i);
    expect(existsSync(join(sshd.home, '.ssh'))).toBe(false);
    expect(await connectionTo(api, sshd)).toMatchObject({ status: 'failed', last_success: null });
    expect((await deploy(api, sshd, { use_sftp_mode })).status).toBe('connected');
  });

  test('names a home that is not writable', async () => {
    await start();
    chmodSync(sshd.home, 0o555);
    const answer = await deployAnswer(api, { ...sshd.login, use_sftp_mode });
    expect(answer.body.success).toBe(false);
    expect(answer.body.connection.error_message).toMatch(/authorized_keys|\.ssh|permission/i);
  });
});

test('restricts an entry to the tool below one folder', async () => {
  await start();
  sshd.ownFolder('stores');
  const { id } = await deploy(api, sshd, {
    restrict: { path: join(sshd.home, 'stores'), append_only: true },
  });
  const [line = ''] = sshd.authorizedKeys();
  expect(line).toMatch(/^command="borg serve .*--restrict-to-path .*stores.*",restrict ssh-ed25519 /);
  expect(line).toContain('--append-only');
  expect((await connectionActions(api, id).test()).body).toMatchObject({
    success: true,
    status: 'connected',
    connection: { allows: 'borg_serve' },
    message: expect.stringMatching(/^The key works for .* The key may only run `borg serve` on the host/),
  });
  const input = { connection_id: id, source_directories: [source] };
  const inside = await createRepository(api, { ...input, name: 'in', path: join(sshd.home, 'stores', 'r') });
  expect((await backUp(api, inside.path)).status).toBe('completed');
  const outside = { ...input, passphrase: 'p', name: 'out', path: join(sshd.home, 'r') };
  const refused = await api.post('/api/repositories/', outside);
  expect([400, 403, 500]).toContain(refused.status);
  expectRefusal(refused, refused.status);
  expect(existsSync(join(sshd.home, 'r'))).toBe(false);
  expect((await connectionActions(api, id).refreshStorage()).body.storage).toBeNull();
  await deploy(api, sshd, { restrict: { path: join(sshd.home, 'stores'), append_only: true } });
  expect(sshd.authorizedKeys()).toHaveLength(1);
});

test('keeps connections of a deleted key and deploys the next key to them', async () => {
  await start();
  const { id } = await deploy(api, sshd);
  expect((await api.delete(`/api/ssh-keys/${key.id}`)).body).toMatchObject({ success: true });
  const actions = connectionActions(api, id);
  expect(await actions.show()).toMatchObject({ ssh_key_id: null, ssh_key_name: null, status: 'failed' });
  expectRefusal(await actions.test(), 404, /key/);
  expect(sshd.authorizedKeys()).toHaveLength(1);
  key = await generateKey(api, { name: 'next' });
  expect((await actions.redeploy(sshd.password)).body).toMatchObject({ success: true });
  expect(await actions.show()).toMatchObject({ ssh_key_id: key.id, status: 'connected' });
  expect(sshd.authorizedKeys()).toHaveLength(2);
  expect((await connections(api)).length).toBeGreaterThan(1);
});
