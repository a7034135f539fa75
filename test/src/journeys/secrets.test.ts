import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, endedJob, runningJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { allProcesses, borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const passphrase = 'Secret-Passphrase-7f3a91';
// Of this test alone: other services of other tests may run beside it.
const adminPassword = 'Secret-Password-of-the-admin-3b77';
const secretKey = 'Secret-Key-of-the-service-51c2';
const userPassword = 'Secret-Password-of-a-user-90d1';

let server: TestServer;
let api: Api;
let apiToken: string;
let repository: string;
const env: Record<string, string | undefined> = {
  SECRET_KEY: secretKey,
  LOG_LEVEL: 'debug',
  INITIAL_ADMIN_PASSWORD: adminPassword,
};

beforeAll(async () => {
  server = await TestServer.start({ env });
  // The password of the first start is needed no more: from here on it stands in no environment.
  env.INITIAL_ADMIN_PASSWORD = undefined;
  await server.restart();
  api = await server.login('admin', adminPassword);
  await api.post('/api/auth/users', { username: 'anna', password: userPassword });
  const made = await api.post('/api/auth/tokens', { name: 'for scripts' });
  apiToken = made.body.access_token;
  expect(apiToken).toMatch(/^\S{20,}$/);
  const source = server.workspace.folder('source');
  makeRandomFiles(source, 20, 16);
  repository = join(server.workspace.path, 'repository');
  await createRepository(api, {
    name: 'r',
    path: repository,
    passphrase,
    source_directories: [source],
    compression: 'zlib,9',
  });
});
afterAll(() => server?.remove());

const secrets = () => ({
  passphrase,
  userPassword,
  adminPassword,
  token: api.token ?? '',
  apiToken,
  secretKey,
});

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

test('no secret stands in an argument list or in an environment while a backup runs', async () => {
  const job = await startBackup(api, repository);
  await runningJob(api, job);
  const borg = borgProcesses(server.workspace.path);
  expect(borg.length).toBeGreaterThan(0);
  const processes = allProcesses().filter(({ pid }) => pid !== process.pid && pid !== process.ppid);
  for (const [name, secret] of Object.entries(secrets())) {
    expect(
      processes.filter(({ command }) => command.includes(secret)),
      name,
    ).toEqual([]);
    const holders = processes.filter(({ environment }) => environment.includes(secret)).map(({ pid }) => pid);
    // Who starts the service gave it SECRET_KEY; nobody else may have it.
    expect(holders, name).toEqual(name === 'secretKey' ? [server.pid] : []);
  }
  for (const { environment } of borg) expect(environment).not.toMatch(/SECRET_KEY|PASSWORD|BORG_PASSPHRASE=/);
  expect((await endedJob(api, job)).status).toBe('completed');
});

test('no secret stands in the log, the database or another file of the data folder', async () => {
  await api.post('/api/repositories/import', {
    name: 'wrong',
    path: repository,
    passphrase: `${passphrase}x`,
  });
  await api.request('POST', '/api/auth/login', { form: { username: 'anna', password: `${userPassword}x` } });
  await api.as('no-such-token').get('/api/auth/me');
  await api.get('/api/archives/list', { repository });
  expect(server.log.length).toBeGreaterThan(100);
  const files = [...filesBelow(server.dataDirectory)];
  const database = await server.database();
  const stored = await database.contents();
  await database.close();
  expect(stored).toContain('admin');
  for (const [name, secret] of Object.entries(secrets())) {
    expect(server.log.includes(secret), `${name} in the log`).toBe(false);
    expect(stored.includes(secret), `${name} in the database`).toBe(false);
    const holders = files.filter((file) => readFileSync(file).includes(secret));
    expect(holders, name).toEqual([]);
  }
});

test('no answer holds a secret, but the one that gives a token', async () => {
  const list = await api.get('/api/repositories/');
  await api.get(`/api/repositories/${list.body.repositories[0].id}`);
  await api.put(`/api/repositories/${list.body.repositories[0].id}`, { name: 'renamed' });
  for (const path of [
    '/api/auth/users',
    '/api/auth/tokens',
    '/api/auth/me',
    '/api/plugins',
    '/api/backup/jobs',
  ]) {
    expect((await api.get(path)).status).toBe(200);
  }
  const jobs = await api.get('/api/backup/jobs');
  await api.get(`/api/backup/logs/${jobs.body.jobs[0].id}/stream`);
  for (const [name, secret] of Object.entries({ ...secrets(), apiToken: 'never' })) {
    expect(
      api.answers.filter(({ text }) => text.includes(secret)),
      name,
    ).toEqual([]);
  }
  expect(api.answers.filter(({ text }) => text.includes(apiToken))).toHaveLength(1);
});

test('files with secrets or data are readable by their owner only', () => {
  for (const file of filesBelow(server.dataDirectory)) {
    if (/secret|\.db/.test(file)) expect((statSync(file).mode & 0o077).toString(8), file).toBe('0');
  }
});

test('the first start without a password prints a generated one, once', async () => {
  const fresh = await TestServer.start({ env: { INITIAL_ADMIN_PASSWORD: undefined } });
  try {
    const look = () => /user admin, password (\S{12,}) /.exec(fresh.log)?.[1];
    const password = await waitFor(look, { what: 'the generated password', timeoutMs: 5_000 });
    expect(fresh.log.split(password)).toHaveLength(2);
    const session = await fresh.login('admin', password);
    expect((await session.get('/api/auth/me')).status).toBe(200);
    await fresh.restart();
    expect(fresh.log.split(password)).toHaveLength(2);
  } finally {
    await fresh.remove();
  }
});
