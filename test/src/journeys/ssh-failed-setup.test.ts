import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/services/own-server.mjs';
import { expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { hangingUpHost, type OddHost, silentHost } from '../services/odd-hosts.js';
import { TestSshd } from '../services/sshd.js';
import { connections, systemKey } from '../ssh-actions.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
const odd: OddHost[] = [];

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
const sshFolder = () => join(server.dataDirectory, '.ssh');

/** A set-up that fails leaves neither key nor connection. */
async function expectNothingLeft(): Promise<void> {
  expect(await systemKey(api)).toBeNull();
  expect(await connections(api)).toEqual([]);
  expect(existsSync(sshFolder()) ? readdirSync(sshFolder()) : []).toEqual([]);
}
afterEach(expectNothingLeft);

test('refuses a wrong password', async () => {
  expectRefusal(await setUp({ ...sshd.login, password: 'wrong' }), 400, /password/i);
  expect(sshd.authorizedKeys()).toEqual([]);
});

test('refuses an unknown user', async () => {
  expectRefusal(await setUp({ ...sshd.login, username: 'nobody-of-that-name' }), 400, /password|user/i);
});

test('reports a closed port', async () => {
  const port = await freePort();
  expectRefusal(await setUp({ ...sshd.login, port }), 503, new RegExp(`${port}`));
});

test('reports an unknown host name', async () => {
  expectRefusal(await setUp({ ...sshd.login, host: 'no-such-host.invalid' }), 503, /no-such-host\.invalid/);
});

test.each([
  ['accepts and says nothing', silentHost],
  ['hangs up', hangingUpHost],
] as const)('limits the wait for a host that %s', async (_, make) => {
  const host = await make();
  odd.push(host);
  const began = Date.now();
  expectRefusal(await setUp({ ...sshd.login, host: host.host, port: host.port }), 503);
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(host.connections()).toBeGreaterThan(0);
});

test.each([true, false])('removes the key from a host that accepts none (over SFTP: %s)', async (sftp) => {
  const strict = await TestSshd.start({ more: ['PubkeyAuthentication no'] });
  try {
    strict.writeAuthorizedKeys('# of somebody\n');
    expectRefusal(await setUp({ ...strict.login, use_sftp_mode: sftp }), 503, /does not accept it/);
    expect(strict.log).toContain('Accepted password');
    expect(strict.authorizedKeys()).toEqual(['# of somebody']);
  } finally {
    await strict.remove();
  }
});

test('requires host, user and password', async () => {
  for (const field of ['host', 'username', 'password']) {
    expectRefusal(await setUp({ ...sshd.login, [field]: undefined }), 400, new RegExp(field));
  }
});

const hostile = [
  '-oProxyCommand=touch /tmp/x',
  '--',
  'a b',
  "a'b",
  'a"b',
  'a;id',
  'a$(id)',
  'a`id`',
  'a\nb',
  'a|b',
  'a&b',
  'a\0b',
  '',
  ' ',
  'a/b',
  'a@b',
  'x'.repeat(5_000),
];
test.each(['host', 'username'])('rejects %s with shell or ssh metacharacters', async (field) => {
  for (const text of hostile) {
    const answer = await setUp({ ...sshd.login, [field]: text });
    expect([text, answer.status]).toEqual([text, 400]);
    expectRefusal(answer, 400);
  }
});

test('rejects invalid ports and key types', async () => {
  for (const port of [0, -1, 65_536, 1.5, '22; id', null, 'ssh']) {
    expectRefusal(await setUp({ ...sshd.login, port }), 400);
  }
  for (const key_type of ['dsa', 'RSA', '', 7, '-t']) {
    expectRefusal(await setUp({ ...sshd.login, key_type }), 400);
  }
  expectRefusal(await setUp({ ...sshd.login, name: '' }), 400);
  expectRefusal(await setUp({ ...sshd.login, password: 7 }), 400);
});
