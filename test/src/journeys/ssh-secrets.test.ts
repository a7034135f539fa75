import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createRepository,
  endedJob,
  isTerminal,
  jobOf,
  type Repository,
  runningJob,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { HeldSource } from '../held-source.js';
import { ofAnswers, ofDatabase, ofFiles, ofLog, ofProcess } from '../leaks/materials.js';
import { ProcessSampler, type SeenProcess } from '../leaks/process-sampler.js';
import { leaksIn } from '../leaks/scan.js';
import { type Secret, SecretBook } from '../leaks/secret-book.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, connections, deployAnswer, quickSetup } from '../ssh-actions.js';
import { makeEndlessFiles, makeRandomFiles } from '../trees.js';

const book = new SecretBook();
const passphrase = book.plant('the passphrase');
const wrongPassword = book.plant('a wrong password');

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let connection: Connection;
let remote: Repository;
let pulled: Repository;

beforeAll(async () => {
  server = await TestServer.start({ env: { LOG_LEVEL: 'debug' } });
  sshd = await TestSshd.start();
  api = await server.login();
  book.keep('the password on the host', sshd.password);
  // Its end has nothing that JSON or a shell would write in another way.
  book.keep('the end of the password on the host', sshd.password.slice(-18));
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const keyFile = () => join(server.dataDirectory, '.ssh', 'holdfast_ed25519');

/** Every process of this machine, which is both sides, until `work` has settled. */
async function watched<T>(work: () => Promise<T>): Promise<{ result: T; seen: SeenProcess[] }> {
  const sampler = await ProcessSampler.start();
  const result = await work();
  return { result, seen: (await sampler.stop()).processes };
}

const expectNoSecret = (seen: SeenProcess[]) => expect(leaksIn(seen.flatMap(ofProcess), book)).toEqual([]);

test('appear in no arguments or environments while a key is deployed', async () => {
  const { result, seen } = await watched(() => quickSetup(api, sshd));
  connection = result;
  book.keep('the private key', readFileSync(keyFile(), 'utf8'), 'system_key');
  expectNoSecret(seen);
  for (const use_sftp_mode of [true, false]) {
    const { result: answer, seen: again } = await watched(() =>
      deployAnswer(api, { ...sshd.login, use_sftp_mode }),
    );
    expect(answer.body).toMatchObject({ success: true });
    expect(again.some(({ command }) => command.startsWith('sshd:'))).toBe(true);
    expectNoSecret(again);
    await deployAnswer(api, { ...sshd.login, password: wrongPassword, use_sftp_mode });
  }
  expect((await connectionActions(api, connection.id).test()).body).toMatchObject({ success: true });
});

test.each([
  { way: 'a backup onto the host', trusted: false, isPull: false },
  { way: 'a pull by tar', trusted: false, isPull: true },
  { way: 'a pull by the tool on the host', trusted: true, isPull: true },
])('appear on neither side during $way', async ({ trusted, isPull, way }) => {
  await connectionActions(api, connection.id).update({ trusted });
  const large = sshd.ownFolder('large');
  if (readdirSync(large).length === 0) makeRandomFiles(large, 4, 8);
  const held = isPull ? null : new HeldSource(server.workspace.folder('held'));
  const settings = held?.settings ?? { source_directories: [large], compression: 'zlib,9' };
  const place = isPull
    ? { path: join(server.workspace.path, `pulled-${trusted}`), source_connection_id: connection.id }
    : { path: join(sshd.home, 'r'), connection_id: connection.id };
  const made = await createRepository(api, { name: way, passphrase, ...settings, ...place });
  if (isPull) pulled = made;
  else remote = made;
  const id = await startBackup(api, made.path);
  await held?.reached();
  const { result: job, seen } = await watched(async () => {
    await held?.release();
    return endedJob(api, id);
  });
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const onHost = isPull ? (trusted ? /borg.* create/ : /tar /) : /borg.* serve/;
  const account = `USER=${sshd.username}`;
  const there = seen.filter(
    ({ command, environment }) => onHost.test(command) && environment.includes(account),
  );
  expect(there.length).toBeGreaterThan(0);
  expectNoSecret(seen);
  for (const { environment } of there) expect(environment).not.toMatch(/SECRET_KEY|BORG_PASSPHRASE=/);
});

test('appear in no log, database or file on either side except the key file', async () => {
  await connectionActions(api, connection.id).redeploy(wrongPassword);
  await server.restart();
  api = await server.login();
  const stored = await ofDatabase(server.database());
  expect(`${stored.content}`).toContain('admin');
  const isForTheService = ({ kind }: Secret, file: string) => kind === 'system_key' && file === keyFile();
  const files = ofFiles([server.dataDirectory, sshd.home], isForTheService);
  expect(leaksIn([ofLog(server.log), stored, ...files], book)).toEqual([]);
  expect((statSync(keyFile()).mode & 0o7777).toString(8)).toBe('600');
});

test('appear in no response', async () => {
  await connections(api);
  for (const path of [
    '/api/ssh-keys',
    '/api/ssh-keys/system-key',
    `/api/ssh-keys/${connection.ssh_key_id}`,
  ]) {
    expect((await api.get(path)).status).toBe(200);
  }
  for (const { id } of [remote, pulled]) await api.get(`/api/repositories/${id}`);
  expect(leaksIn(ofAnswers(api.answers), book)).toEqual([]);
  for (const { text } of api.answers) expect(text).not.toContain('PRIVATE KEY');
});

test('leave no passphrase on a trusted host after an interruption', async () => {
  const endless = sshd.ownFolder('large');
  makeEndlessFiles(endless);
  const id = await startBackup(api, pulled.path);
  await runningJob(api, id);
  sshd.killSessions();
  expect(isTerminal(await endedJob(api, id))).toBe(true);
  expect((await jobOf(api, id)).status).toBe('failed');
  rmSync(endless, { recursive: true });
  expect(leaksIn(ofFiles([sshd.home]), book)).toEqual([]);
});
