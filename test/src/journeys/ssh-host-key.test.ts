import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  expectRefusal,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Answer, Api } from '../api.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import {
  type Connection,
  connectionActions,
  connections,
  deploy,
  quickSetup,
  systemKey,
} from '../ssh-actions.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let sshd: TestSshd;
let other: TestSshd;
let api: Api;
let source: string;
let connection: Connection;
let repository: Repository;
let pulled: Repository;
let archive: string;

beforeAll(async () => {
  // One type of key: then the fingerprint that comes is known beforehand.
  [server, sshd, other] = await Promise.all([
    TestServer.start(),
    TestSshd.start({ hostKeyTypes: ['ed25519'] }),
    TestSshd.start({ hostKeyTypes: ['rsa'] }),
  ]);
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(source, 20);
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
  await other?.remove();
});

const actions = () => connectionActions(api, connection.id);
const names = (answer: Answer, fingerprints: string[]) => {
  const text = `${answer.body.detail ?? ''} ${answer.body.error ?? ''} ${answer.body.message ?? ''}`;
  for (const fingerprint of fingerprints) expect(text).toContain(fingerprint);
};

test('refuses a host whose key differs from the given fingerprint', async () => {
  const given = `SHA256:${'A'.repeat(43)}`;
  const setup = { name: 'k', key_type: 'ed25519', ...sshd.login, host_key_fingerprint: given };
  const answer = await api.post('/api/ssh-keys/quick-setup', setup);
  expect([400, 503]).toContain(answer.status);
  names(answer, [given, await sshd.fingerprint()]);
  expect(sshd.authorizedKeys()).toEqual([]);
  // Not even a try to sign in: the password went to nobody.
  expect(sshd.log).not.toMatch(/(Accepted|Failed) password/);
  expect(await systemKey(api)).toBeNull();
  expect(await connections(api)).toEqual([]);
  connection = await quickSetup(api, sshd, { host_key_fingerprint: await sshd.fingerprint() });
  expect(connection.host_key_fingerprint).toBe(await sshd.fingerprint());
});

test('backs up to and from the host', async () => {
  repository = await createRepository(api, {
    name: 'there',
    path: join(sshd.home, 'r'),
    connection_id: connection.id,
    source_directories: [source],
  });
  makeFiles(sshd.ownFolder('data'), 20);
  pulled = await createRepository(api, {
    name: 'here',
    path: join(server.workspace.path, 'pulled'),
    source_connection_id: connection.id,
    source_directories: [join(sshd.home, 'data')],
  });
  for (const { path } of [repository, pulled]) {
    const job = await backUp(api, path);
    expect([job.status, job.error_message]).toEqual(['completed', null]);
    archive = job.archive_name ?? '';
  }
  archive = (await archivesOf(api, repository.path))[0]?.name ?? '';
});

test('refuses every operation with both fingerprints after a key change', async () => {
  const before = await sshd.fingerprint();
  await sshd.exchangeHostKeys();
  const both = [before, await sshd.fingerprint()];

  for (const step of [actions().test(), actions().refreshStorage(), actions().redeploy(sshd.password)]) {
    const answer = await step;
    expect(answer.status).toBe(200);
    expect(answer.body.success).toBe(false);
    names(answer, both);
  }
  expect(await actions().show()).toMatchObject({ status: 'host_key_changed', host_key_fingerprint: before });
  expect((await actions().show())?.error_message).toContain(both[1]);

  const deployed = await api.post(`/api/ssh-keys/${connection.ssh_key_id}/deploy`, sshd.login);
  expect(deployed.body.success).toBe(false);
  names(deployed, both);

  const browsed = await actions().browse(sshd.home);
  expectRefusal(browsed, 409);
  names(browsed, both);

  for (const { path } of [repository, pulled]) {
    const job = await backUp(api, path);
    expect(job.status).toBe('failed');
    for (const fingerprint of both) expect(job.error_message).toContain(fingerprint);
  }
  const of = { repository: repository.path };
  const input = { passphrase, connection_id: connection.id, source_directories: [source] };
  const refused = {
    list: await api.get('/api/archives/list', of),
    info: await api.get(`/api/archives/${archive}/info`, of),
    contents: await api.get(`/api/archives/${archive}/contents`, of),
    delete: await api.delete(`/api/archives/${archive}`, of),
    create: await api.post('/api/repositories/', { ...input, name: 'n', path: join(sshd.home, 'n') }),
    import: await api.post('/api/repositories/import', { ...input, name: 'n', path: join(sshd.home, 'n') }),
  };
  for (const [name, answer] of Object.entries(refused)) {
    expect([name, answer.status]).toEqual([name, 409]);
    names(answer, both);
  }
  // Nobody signed in after the exchange, and no password went to the stranger.
  expect(sshd.log.slice(sshd.log.lastIndexOf('Server listening'))).not.toMatch(/Accepted|Failed/);
});

test('accepts no key by restarting the service', async () => {
  await server.restart();
  api = await server.login();
  expect((await actions().test()).body).toMatchObject({ success: false, status: 'host_key_changed' });
});

test('lets only administrators accept only the presented key', async () => {
  await api.post('/api/auth/users', { username: 'anna', password: 'a password for anna' });
  const anna = await server.login('anna', 'a password for anna');
  const fingerprint = await sshd.fingerprint();
  const annas = connectionActions(anna, connection.id);
  expectRefusal(await annas.acceptHostKey(fingerprint), 403);
  const wrong = await actions().acceptHostKey(`SHA256:${'A'.repeat(43)}`);
  expect([400, 409]).toContain(wrong.status);
  expectRefusal(wrong, wrong.status);
  expect((await actions().test()).body).toMatchObject({ success: false });
  const accepted = await actions().acceptHostKey(fingerprint);
  expect(accepted.body).toMatchObject({ success: true, connection: { host_key_fingerprint: fingerprint } });
  expect((await actions().test()).body).toMatchObject({ success: true, status: 'connected' });
});

test('works again afterwards', async () => {
  for (const { path } of [repository, pulled]) {
    const job = await backUp(api, path);
    expect([job.status, job.error_message]).toEqual(['completed', null]);
  }
  expect((await archivesOf(api, repository.path)).map(({ name }) => name)).toContain(archive);
  expect((await actions().browse(sshd.home)).status).toBe(200);
  expect((await actions().redeploy(sshd.password)).body).toMatchObject({ success: true });
});

test('keeps the pinned key when the port changes, and refuses another host', async () => {
  const second = await deploy(api, other);
  expect(second.host_key_fingerprint).toBe(await other.fingerprint('rsa'));
  expect((await actions().update({ port: other.port })).status).toBe(200);
  const answer = await actions().test();
  expect(answer.body).toMatchObject({ success: false, status: 'host_key_changed' });
  names(answer, [await sshd.fingerprint(), await other.fingerprint('rsa')]);
  expect((await actions().update({ port: sshd.port })).status).toBe(200);
  expect((await actions().test()).body).toMatchObject({ success: true });
});

test('accepts a host that presents more keys than the pinned one', async () => {
  const several = await TestSshd.start({ hostKeyTypes: ['rsa', 'ecdsa', 'ed25519'] });
  try {
    const { id, host_key_fingerprint } = await deploy(api, several);
    const made = await createRepository(api, {
      name: 'several',
      path: join(several.home, 'r'),
      connection_id: id,
      source_directories: [source],
    });
    expect((await backUp(api, made.path)).status).toBe('completed');
    const shown = await connectionActions(api, id).show();
    expect(shown).toMatchObject({ status: 'connected', host_key_fingerprint });
  } finally {
    await several.remove();
  }
});
