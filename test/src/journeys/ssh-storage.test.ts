import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { usualHostKeyTypes } from '../services/host-keys.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, connectionTo, systemKey } from '../ssh-actions.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let connection: Connection;

beforeAll(async () => {
  server = await TestServer.start();
  sshd = await TestSshd.start({ smallDisk: 20 });
  api = await server.login();
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const actions = () => connectionActions(api, connection.id);
const remote = (...parts: string[]) => join(sshd.home, ...parts);

/** What `df` says of a path on the host. */
function diskOf(path: string) {
  const words = ['-t', `${sshd.pid}`, '--mount', 'df', '-P', '-k', path];
  const [, line = ''] = execFileSync('nsenter', words, { encoding: 'utf8' }).trim().split('\n');
  const [, total, used, available, percent = ''] = line.split(/\s+/);
  const bytes = (blocks?: string) => Number(blocks) * 1024;
  return {
    total: bytes(total),
    used: bytes(used),
    available: bytes(available),
    percent_used: Number(percent.replace('%', '')),
  };
}

describe('quick-setup', () => {
  test('creates the key, deploys it to the host and tests the connection', async () => {
    const answer = await api.post('/api/ssh-keys/quick-setup', {
      name: 'My key',
      key_type: 'ed25519',
      ...sshd.login,
    });
    expect(answer.body).toMatchObject({
      success: true,
      ssh_key: { name: 'My key', key_type: 'ed25519', public_key: expect.stringMatching(/^ssh-ed25519 /) },
      connection: { host: sshd.host, port: sshd.port, username: sshd.username, status: 'connected' },
    });
    expect(answer.status).toBe(201);
    connection = await connectionTo(api, sshd);
    expect(connection).toMatchObject({
      status: 'connected',
      error_message: null,
      use_sftp_mode: true,
      trusted: false,
      sudo: false,
      ssh_key_name: 'My key',
      storage: null,
      last_success: expect.stringMatching(/Z$/),
    });
    expect(await allFingerprints()).toContain(connection.host_key_fingerprint);
    expect(answer.body.connection.host_key_fingerprint).toBe(connection.host_key_fingerprint);
  });

  test('deploys the key once, readable only by its owner', async () => {
    const key = await systemKey(api);
    expect(sshd.authorizedKeys().map((line) => line.split(' ').slice(0, 2))).toEqual([
      key?.public_key.split(' ').slice(0, 2),
    ]);
    for (const [path, mode] of [
      [sshd.authorizedKeysFile, 0o100600],
      [remote('.ssh'), 0o040700],
    ] as const) {
      expect(statSync(path)).toMatchObject({ mode, uid: sshd.account.uid, gid: sshd.account.gid });
    }
    expect(key).toMatchObject({ connection_count: 1, active_connections: 1 });
  });

  test('refuses a second key and changes nothing', async () => {
    const again = { name: 'again', ...sshd.login };
    expectRefusal(await api.post('/api/ssh-keys/quick-setup', again), 409, /key/);
    expect(sshd.authorizedKeys()).toHaveLength(1);
    expect((await systemKey(api))?.name).toBe('My key');
  });
});

const allFingerprints = () => Promise.all(usualHostKeyTypes.map((type) => sshd.fingerprint(type)));

test('updates its times in a connection test', async () => {
  const before = await actions().show();
  const answer = await actions().test();
  expect(answer.body).toMatchObject({ success: true, status: 'connected', error: null });
  const after = await actions().show();
  expect(after?.last_test?.localeCompare(before?.last_test ?? '')).toBe(1);
  expect(after?.last_success?.localeCompare(before?.last_success ?? '')).toBe(1);
});

test('shows the storage like df', async () => {
  expect((await actions().update({ default_path: remote('small') })).status).toBe(200);
  const answer = await actions().refreshStorage();
  expect(answer.body).toMatchObject({ success: true, storage: diskOf(remote('small')) });
  expect(answer.body.storage.total_formatted).toBe('20.00 MB');
  expect((await actions().show())?.storage).toEqual(answer.body.storage);
  // Nothing is ever written by that.
  expect((await actions().update({ default_path: '/no/such path' })).status).toBe(200);
  const none = await actions().refreshStorage();
  expect(none.status).toBe(200);
  expect(none.body).toMatchObject({ success: false, storage: null });
  expect((await actions().update({ default_path: sshd.home })).status).toBe(200);
});

test('browses folders the same over SFTP and the shell', async () => {
  sshd.ownFolder("a 'b' $(id)", 'inner');
  for (const use_sftp_mode of [true, false]) {
    expect((await actions().update({ use_sftp_mode })).status).toBe(200);
    const home = await actions().browse(sshd.home);
    expect(home.status).toBe(200);
    const folder = home.body.items.find(({ name }: { name: string }) => name === "a 'b' $(id)");
    expect(folder).toMatchObject({ path: remote("a 'b' $(id)"), is_directory: true });
    const below = await actions().browse(folder.path);
    expect(below.body.items).toMatchObject([{ name: 'inner', is_directory: true }]);
    expectRefusal(await actions().browse(remote('nowhere')), 404);
  }
  expect((await actions().update({ use_sftp_mode: true })).status).toBe(200);
});
