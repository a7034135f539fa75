import { readdirSync, readFileSync, statSync } from 'node:fs';
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
import { allProcesses, type ProcessFacts } from '../processes.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, connections, deployAnswer, quickSetup } from '../ssh-actions.js';
import { makeRandomFiles } from '../trees.js';

const passphrase = 'Secret-Passphrase-over-SSH-81f2';
const wrongPassword = 'Wrong-Password-for-SSH-22ce';

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
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const keyFile = () => join(server.dataDirectory, '.ssh', 'holdfast_ed25519');
/** The middle of the key's text: a line is enough to know it by. */
const privateKey = () => readFileSync(keyFile(), 'utf8').trim().split('\n').slice(1, -1);
/** Its end has nothing that JSON or a shell would write in another way. */
const passwordEnd = () => sshd.password.slice(-18);
const secrets = () => [sshd.password, passwordEnd(), wrongPassword, passphrase, ...privateKey()];

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Every process of this machine, which is both sides, again and again until `work` has settled. */
async function watched<T>(work: Promise<T>): Promise<{ result: T; seen: Map<number, ProcessFacts[]> }> {
  const seen = new Map<number, ProcessFacts[]>();
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      for (const one of allProcesses()) {
        if (one.pid === process.pid || one.pid === process.ppid) continue;
        seen.set(one.pid, [...(seen.get(one.pid) ?? []).slice(-3), one]);
      }
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  };
  const watching = watch();
  const result = await work.finally(() => {
    isDone = true;
  });
  await watching;
  return { result, seen };
}

function expectNoSecret(seen: Map<number, ProcessFacts[]>): void {
  for (const states of seen.values()) {
    for (const { command, environment } of states) {
      for (const secret of secrets()) {
        if (command.includes(secret)) throw new Error(`a secret in the arguments of ${command.slice(0, 40)}`);
        if (environment.includes(secret)) throw new Error(`a secret in the environment of ${command}`);
      }
    }
  }
}

test('none in arguments or environments while a key is deployed', async () => {
  const { result, seen } = await watched(quickSetup(api, sshd));
  connection = result;
  expectNoSecret(seen);
  for (const use_sftp_mode of [true, false]) {
    const { result: answer, seen: again } = await watched(
      deployAnswer(api, { ...sshd.login, use_sftp_mode }),
    );
    expect(answer.body).toMatchObject({ success: true });
    expect([...again.values()].flat().some(({ command }) => command.startsWith('sshd:'))).toBe(true);
    expectNoSecret(again);
    await deployAnswer(api, { ...sshd.login, password: wrongPassword, use_sftp_mode });
  }
  expect((await connectionActions(api, connection.id).test()).body).toMatchObject({ success: true });
});

test.each([
  { way: 'a backup onto the host', trusted: false, isPull: false },
  { way: 'a pull by tar', trusted: false, isPull: true },
  { way: 'a pull by the tool on the host', trusted: true, isPull: true },
])('none on either side during $way', async ({ trusted, isPull, way }) => {
  await connectionActions(api, connection.id).update({ trusted });
  const large = isPull ? sshd.ownFolder('large') : server.workspace.folder('large');
  if (readdirSync(large).length === 0) makeRandomFiles(large, 4, 8);
  const place = isPull
    ? { path: join(server.workspace.path, `pulled-${trusted}`), source_connection_id: connection.id }
    : { path: join(sshd.home, 'r'), connection_id: connection.id };
  const input = { name: way, passphrase, source_directories: [large], compression: 'zlib,9' };
  const made = await createRepository(api, { ...input, ...place });
  if (isPull) pulled = made;
  else remote = made;
  const id = await startBackup(api, made.path);
  const { result: job, seen } = await watched(endedJob(api, id));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const commands = [...seen.values()].flat();
  const onHost = isPull ? (trusted ? /borg.* create/ : /tar /) : /borg.* serve/;
  const account = `USER=${sshd.username}`;
  const there = commands.filter(
    ({ command, environment }) => onHost.test(command) && environment.includes(account),
  );
  expect(there.length).toBeGreaterThan(0);
  expectNoSecret(seen);
  for (const { environment } of there) expect(environment).not.toMatch(/SECRET_KEY|BORG_PASSPHRASE=/);
});

test('none in the log, the database or another file, on either side, but the key file', async () => {
  await connectionActions(api, connection.id).redeploy(wrongPassword);
  await server.restart();
  api = await server.login();
  const files = [...filesBelow(server.dataDirectory), ...filesBelow(sshd.home)];
  const database = await server.database();
  const stored = await database.contents();
  await database.close();
  expect(stored).toContain('admin');
  for (const secret of secrets()) {
    expect(server.log.includes(secret)).toBe(false);
    expect(stored.includes(secret)).toBe(false);
    const holders = files.filter((file) => readFileSync(file).includes(secret));
    expect(holders.filter((file) => file !== keyFile())).toEqual([]);
  }
  expect((statSync(keyFile()).mode & 0o7777).toString(8)).toBe('600');
});

test('none in an answer', async () => {
  await connections(api);
  for (const path of [
    '/api/ssh-keys',
    '/api/ssh-keys/system-key',
    `/api/ssh-keys/${connection.ssh_key_id}`,
  ]) {
    expect((await api.get(path)).status).toBe(200);
  }
  for (const { id } of [remote, pulled]) await api.get(`/api/repositories/${id}`);
  for (const { text } of api.answers) {
    for (const secret of secrets()) expect(text.includes(secret)).toBe(false);
    expect(text).not.toContain('PRIVATE KEY');
  }
});

test('a trusted host that is cut off keeps no passphrase behind', async () => {
  makeRandomFiles(sshd.ownFolder('large'), 12, 12);
  const id = await startBackup(api, pulled.path);
  await runningJob(api, id);
  sshd.killSessions();
  expect(isTerminal(await endedJob(api, id))).toBe(true);
  expect((await jobOf(api, id)).status).toBe('failed');
  for (const file of filesBelow(sshd.home)) expect(readFileSync(file).includes(passphrase)).toBe(false);
});
