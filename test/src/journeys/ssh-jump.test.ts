import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archived,
  backUp,
  createRepository,
  download,
  expectRefusal,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { holdfast } from '../command.js';
import { commandsIn } from '../printed-sheet.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import {
  type Connection,
  connectionActions,
  connectionTo,
  deploy,
  deployAnswer,
  quickSetup,
  systemKey,
} from '../ssh-actions.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let gate: TestSshd;
let inner: TestSshd;
let api: Api;
let source: string;
let jump: Connection;
let connection: Connection;
let repository: Repository;

beforeAll(async () => {
  [server, gate, inner] = await Promise.all([
    TestServer.start(),
    TestSshd.start({ hostKeyTypes: ['ed25519'] }),
    TestSshd.start(),
  ]);
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(source, 3);
  jump = await quickSetup(api, gate);
});
afterAll(async () => {
  await server?.remove();
  await gate?.remove();
  await inner?.remove();
});

const logins = ({ log, username }: TestSshd) => log.split(`Accepted publickey for ${username} `).length;

/** The work signs in on both hosts, equally often: never past the first one. */
async function throughGate<T>(work: () => Promise<T>): Promise<T> {
  const before = [gate, inner].map(logins) as [number, number];
  const result = await work();
  const after = [gate, inner].map(logins) as [number, number];
  expect(after[1]).toBeGreaterThan(before[1]);
  expect(after[0] - before[0]).toBeGreaterThanOrEqual(after[1] - before[1]);
  return result;
}

test('puts the key on a host behind another one', async () => {
  connection = await throughGate(() => deploy(api, inner, { jump_connection_id: jump.id }));
  expect(connection).toMatchObject({ jump_connection_id: jump.id, status: 'connected' });
  const pinned = await Promise.all([inner.fingerprint('ed25519'), inner.fingerprint('ecdsa')]);
  expect(pinned).toContain(connection.host_key_fingerprint);
  const there = connectionActions(api, connection.id);
  expect((await throughGate(there.test)).body).toMatchObject({ success: true });
  expect((await throughGate(() => there.browse(inner.home))).body).toMatchObject({ success: true });
});

test('makes backups onto a host behind another one, and restores them', async () => {
  const path = join(inner.home, 'r');
  const sources = { source_directories: [source], connection_id: connection.id };
  repository = await throughGate(() => createRepository(api, { name: 'inner', path, ...sources }));
  const job = await throughGate(() => backUp(api, repository.path));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const file = join(source, 'dir-0000', 'file-000000.txt');
  const place = { repository: repository.path, archive: job.archive_name ?? '' };
  const { bytes } = await throughGate(() => download(api, { ...place, path: archived(file) }));
  expect(bytes.equals(readFileSync(file))).toBe(true);
});

test('pulls data of a host behind another one', async () => {
  const data = inner.ownFolder('data');
  makeFiles(data, 2);
  const path = join(server.workspace.path, 'pulled');
  const from = { source_connection_id: connection.id, source_directories: [data] };
  const pulled = await createRepository(api, { name: 'pulled', path, ...from });
  const job = await throughGate(() => backUp(api, pulled.path));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
});

test('refuses a circle, an unknown way, and to remove the way of others', async () => {
  const way = connectionActions(api, jump.id);
  expectRefusal(await way.update({ jump_connection_id: jump.id }), 400, /itself reached through this one/);
  expectRefusal(await way.update({ jump_connection_id: connection.id }), 400, /itself reached through/);
  expectRefusal(await way.update({ jump_connection_id: 4711 }), 404, /no SSH connection 4711/);
  const name = `${inner.username}@127.0.0.1`;
  expectRefusal(await way.remove(), 409, new RegExp(`Other connections go through this one: ${name}`));
  const key = await systemKey(api);
  const unseen = { host: '127.0.0.1', port: 1, username: 'nobody' };
  await api.post(`/api/ssh-keys/${key?.id}/test-connection`, unseen);
  const never = await connectionTo(api, unseen);
  expectRefusal(
    await way.update({ jump_connection_id: never.id }),
    409,
    /host key of 127.0.0.1 is not known/,
  );
  await connectionActions(api, never.id).remove();
  await api.post('/api/auth/users', { username: 'mira', password: 'a password of mira' });
  const user = await server.login('mira', 'a password of mira');
  expectRefusal(await deployAnswer(user, { ...inner.login, jump_connection_id: jump.id }), 403);
});

test('restores with the recovery sheet alone, and recovers', async () => {
  const home = server.workspace.folder('home');
  const { text } = await api.get('/api/recovery-sheet', { format: 'text', secrets: 'true' });
  const parts = ['First', 'SSH key', `Repository ${repository.id}`];
  const script = ['set -e', ...parts.map((part) => commandsIn(text, part))].join('\n');
  const env = { PATH: process.env.PATH, HOME: home };
  await throughGate(() => promisify(execFile)('sh', ['-c', script], { env }));
  const file = join(source, 'dir-0000', 'file-000000.txt');
  const restored = join(home, 'restored', `files-${repository.id}`, file);
  expect(readFileSync(restored, 'utf8')).toBe(readFileSync(file, 'utf8'));

  const sshKey = join(home, 'restored', 'ssh-key');
  const recover = async (fingerprint: string) =>
    holdfast(
      [
        ...[
          'recover',
          '--repository',
          repository.path,
          '--data-dir',
          join(home, 'data'),
          '--ssh-key',
          sshKey,
        ],
        ...['--host-key', connection.host_key_fingerprint ?? ''],
        ...['--jump', `${gate.username}@127.0.0.1:${gate.port},${fingerprint}`],
      ],
      { env: { HOME: home, DATABASE_URL: undefined }, input: `${passphrase}\n` },
    );
  const gateKey = await gate.fingerprint();
  const other = await recover(`SHA256:${'x'.repeat(43)}`);
  expect([other.code, other.err]).toEqual([1, expect.stringContaining(`presented the host key ${gateKey}`)]);
  const found = await throughGate(() => recover(gateKey));
  expect([found.code, found.err]).toEqual([1, expect.stringMatching(/no .*(copy|archive)/i)]);
});

test('imports a borgmatic repository behind another host, and reports a missing jump host', async () => {
  const ask = async (id: number | null) => {
    await connectionActions(api, connection.id).update({ jump_connection_id: id });
    const text = `user ${inner.username}\nhostname 127.0.0.1\nport ${inner.port}\nproxyjump gate\n`;
    const { body } = await api.post('/api/import/borgmatic', {
      files: [
        {
          name: '/b.yaml',
          content: `repositories: ['ssh://nas${join(inner.home, 'r')}']\nencryption_passphrase: '${passphrase}'\n`,
        },
      ],
      answers: [{ kind: 'ssh', name: '-- nas', text }],
      dry_run: true,
    });
    return JSON.stringify(body);
  };
  expect(await ask(null)).toContain('ssh reaches 127.0.0.1 through gate: add an SSH connection for that');
  expect(await ask(jump.id)).not.toContain('through gate');
});

test('exports and imports the jump host in a settings file', async () => {
  const { document } = (await api.get('/api/settings/export')).body;
  const way = `${gate.username}@127.0.0.1:${gate.port}`;
  expect(document.connections).toMatchObject([{ jump: null }, { username: inner.username, jump: way }]);
  const there = connectionActions(api, connection.id);
  await there.update({ jump_connection_id: null });
  expect((await api.post('/api/settings/import', { document })).status).toBe(200);
  expect(await there.show()).toMatchObject({ jump_connection_id: jump.id });
});

test('sends nothing if the jump host presents another key', async () => {
  await gate.exchangeHostKeys();
  const before = logins(inner);
  const there = connectionActions(api, connection.id);
  const shown = await gate.fingerprint();
  expect((await there.test()).body).toMatchObject({
    success: false,
    status: 'failed',
    error: expect.stringMatching(
      new RegExp(`^On a jump host: The host key of 127.0.0.1 port ${gate.port} changed`),
    ),
    connection: { offered_host_key_fingerprint: null },
  });
  const job = await backUp(api, repository.path);
  expect(job).toMatchObject({ status: 'failed', error_message: expect.stringContaining(shown) });
  expect(logins(inner)).toBe(before);

  const way = connectionActions(api, jump.id);
  expect((await way.test()).body).toMatchObject({ status: 'host_key_changed' });
  expect((await way.acceptHostKey(shown)).status).toBe(200);
  expect((await throughGate(there.test)).body).toMatchObject({ success: true });
});

test('names the host that cannot be reached', async () => {
  const there = connectionActions(api, connection.id);
  await inner.stop();
  const { body } = await there.test();
  expect(body.error).toBe(
    `127.0.0.1 port ${inner.port} can't be reached from 127.0.0.1: (SSH) Channel open failure: Connection refused.`,
  );
  await inner.launch();
  await gate.stop();
  expect((await there.test()).body.error).toBe(
    `On a jump host: 127.0.0.1 port ${gate.port} can't be reached: the connection was refused.`,
  );
  expect(await backUp(api, repository.path)).toMatchObject({
    status: 'failed',
    error_message: expect.stringContaining(`port ${gate.port} can't be reached`),
  });
  await gate.launch();
  expect((await there.test()).body).toMatchObject({ success: true });
});

test('explains the required setting if the jump host forwards nothing', async () => {
  gate.options.more = ['AllowTcpForwarding no'];
  await gate.stop();
  await gate.launch();
  const { body } = await connectionActions(api, connection.id).test();
  expect(body.error).toMatch(
    /^127.0.0.1 does not forward connections to .* \(AllowTcpForwarding, PermitOpen\)/,
  );
});
