import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, connectionTo } from '../ssh-actions.js';
import { makeFiles } from '../trees.js';
import { expectStatus } from './drive-accounts.js';
import type { LeakWorld } from './leak-world.js';

const keys = '/api/ssh-keys';

/** Keys, connections, a repository on a host and data from it, with wrong passwords and another host key. */
export async function driveSsh(world: LeakWorld, api: Api): Promise<void> {
  const sshd = await TestSshd.start({ hostKeyTypes: ['ed25519'] });
  try {
    const password = world.book.keep('the password on the host', sshd.password);
    // Its end has nothing that a shell or JSON would write in another way.
    world.book.keep('the end of the password on the host', password.slice(-18));
    const key = await importKey(world, api);
    const connection = await connect(world, api, { sshd, key });
    await backUpThere(world, api, { sshd, connection });
    await exchangeHostKey(api, sshd, connection);
    await startAgain(world, api, { sshd, key, connection });
  } finally {
    await sshd.remove();
  }
}

function keepSystemKey({ book, server }: LeakWorld, type: string, name: string): void {
  const file = join(server.dataDirectory, '.ssh', `holdfast_${type}`);
  // The public half stands in the private file too.
  const open = readFileSync(`${file}.pub`, 'utf8');
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !open.includes(line));
  book.keep(name, lines.join('\n'), 'system_key');
}

/** With a passphrase that is right, wrong and missing, as a text and as a file. Resolves to its id. */
async function importKey(world: LeakWorld, api: Api): Promise<number> {
  const { book, server } = world;
  const passphrase = book.plant('the passphrase of the SSH key');
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase },
  });
  book.keep('the SSH key as it was given', privateKey);
  const wrong = book.plant('a wrong passphrase of the SSH key');
  const text = { name: 'system', private_key: privateKey };
  expectStatus(await api.post(keys, { ...text, passphrase: wrong }), 400);
  expectStatus(await api.post(keys, text), 400);
  expectStatus(await api.post(keys, { ...text, private_key: privateKey.slice(0, 150), passphrase }), 400);
  // Outside of what is searched: it is the one that a person made.
  const file = `${server.workspace.path}.key`;
  writeFileSync(file, privateKey, { mode: 0o600 });
  const byFile = { name: 'system', private_key_path: file, passphrase };
  const imported = await api.post(`${keys}/import`, byFile).finally(() => rmSync(file));
  const first = expectStatus(imported, 201);
  expectStatus(await api.delete(`${keys}/${first.body.ssh_key.id}`), 200);
  const made = expectStatus(await api.post(keys, { ...text, passphrase }), 201);
  keepSystemKey(world, 'ecdsa', 'the SSH key');
  return made.body.ssh_key.id;
}

async function connect(
  { book }: LeakWorld,
  api: Api,
  { sshd, key }: { sshd: TestSshd; key: number },
): Promise<Connection> {
  const password = book.plant('a wrong password on the host');
  expectStatus(await api.post(`${keys}/${key}/deploy`, { ...sshd.login, password }), 200);
  expectStatus(await api.post(`${keys}/${key}/deploy`, { ...sshd.login, port: 'x' }), 400);
  for (const use_sftp_mode of [true, false]) {
    expectStatus(await api.post(`${keys}/${key}/deploy`, { ...sshd.login, use_sftp_mode }), 200);
  }
  const connection = await connectionTo(api, sshd);
  const of = `${keys}/connections/${connection.id}`;
  expectStatus(await api.post(`${of}/test`), 200);
  expectStatus(await api.post(`${of}/refresh-storage`), 200);
  expectStatus(await api.post(`${of}/redeploy`, { password }), 200);
  expectStatus(await api.get(`${of}/browse`, { path: '/' }), 200);
  const { host, port, username } = sshd.login;
  expectStatus(await api.post(`${keys}/${key}/test-connection`, { host, port, username }), 200, 409);
  expectStatus(await api.put(`${keys}/${key}`, { description: 'for the nas' }), 200);
  return connection;
}

async function backUpThere(
  { book, server }: LeakWorld,
  api: Api,
  { sshd, connection }: { sshd: TestSshd; connection: Connection },
): Promise<void> {
  const source = server.workspace.folder('source');
  const data = sshd.ownFolder('data');
  makeFiles(data, 3);
  const passphrase = book.plant('the passphrase of a repository on the host', 'passphrase');
  const there = { name: 'there', path: join(sshd.home, 'r'), connection_id: connection.id };
  const onHost = await createRepository(api, { ...there, passphrase, source_directories: [source] });
  await backUp(api, onHost.path);
  const from = { source_connection_id: connection.id, source_directories: [data] };
  sshd.allowSudo();
  for (const trusted of [false, true]) {
    const of = `${keys}/connections/${connection.id}`;
    expectStatus(await api.put(of, { trusted, sudo: trusted }), 200);
    const path = join(server.workspace.path, `pulled-${trusted}`);
    const pulled = await createRepository(api, { name: `pulled ${trusted}`, path, passphrase, ...from });
    await backUp(api, pulled.path);
  }
}

async function exchangeHostKey(api: Api, sshd: TestSshd, { id }: Connection): Promise<void> {
  const of = `${keys}/connections/${id}`;
  await sshd.exchangeHostKeys();
  expectStatus(await api.post(`${of}/test`), 200);
  expectStatus(await api.post(`${of}/redeploy`, { password: sshd.password }), 200);
  const fingerprint = await sshd.fingerprint();
  expectStatus(await api.post(`${of}/accept-host-key`, { fingerprint }), 200);
}

/** Without the key, then with one that the service makes. */
async function startAgain(
  world: LeakWorld,
  api: Api,
  { sshd, key, connection }: { sshd: TestSshd; key: number; connection: Connection },
): Promise<void> {
  expectStatus(await api.delete(`${keys}/${key}`), 200);
  const made = expectStatus(await api.post(`${keys}/generate`, { name: 'own', key_type: 'ed25519' }), 201);
  keepSystemKey(world, 'ed25519', 'the SSH key that the service made');
  expectStatus(await connectionActions(api, connection.id).remove(), 200);
  expectStatus(await api.delete(`${keys}/${made.body.ssh_key.id}`), 200);
  const password = world.book.plant('a wrong password of a setup');
  const setup = { name: 'own', key_type: 'ed25519', ...sshd.login };
  expectStatus(await api.post(`${keys}/quick-setup`, { ...setup, password }), 400, 409, 503);
  expectStatus(await api.post(`${keys}/quick-setup`, setup), 201);
  keepSystemKey(world, 'ed25519', 'the SSH key of the setup');
}
