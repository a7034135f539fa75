import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { HeldSource } from '../held-source.js';
import { filesBelow, ofAnswers, ofDatabase, ofFiles, ofLog, ofProcess } from '../leaks/materials.js';
import { ProcessSampler } from '../leaks/process-sampler.js';
import { leaksIn } from '../leaks/scan.js';
import { SecretBook } from '../leaks/secret-book.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

// Of this test alone: other services of other tests may run beside it.
const book = new SecretBook();
const passphrase = book.plant('the passphrase');
const adminPassword = book.plant('the password of the administrator');
const secretKey = book.plant('the key of the service', 'given');
const userPassword = book.plant('the password of a user');

let server: TestServer;
let api: Api;
let apiToken: string;
let repository: string;
let held: HeldSource;
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
  book.keep('the token of a session', api.token ?? '');
  held = new HeldSource(server.workspace.folder('source'));
  repository = join(server.workspace.path, 'repository');
  await createRepository(api, {
    name: 'r',
    path: repository,
    passphrase,
    ...held.settings,
  });
});
afterAll(() => server?.remove());

const withApiToken = () => {
  const all = new SecretBook();
  for (const { name, parts, kind } of book.all) all.keep(name, parts.join('\n'), kind);
  all.keep('an API token', apiToken);
  return all;
};

test('shows no secret in arguments or environments during a backup', async () => {
  const sampler = await ProcessSampler.start();
  const job = await startBackup(api, repository);
  await held.reached();
  // It has looked once when it is there: at a tool that runs.
  const second = await ProcessSampler.start();
  await held.release();
  expect((await endedJob(api, job)).status).toBe('completed');
  const seen = await Promise.all([sampler.stop(), second.stop()]);
  const processes = seen.flatMap(({ processes }) => processes);
  expect(leaksIn(processes.flatMap(ofProcess), withApiToken())).toEqual([]);
  const borg = processes.filter(({ command }) => /(^|[/ ])borg .*create/.test(command));
  const own = borg.filter(({ command }) => command.includes(server.workspace.path));
  expect(own.length).toBeGreaterThan(0);
  for (const { environment } of own) expect(environment).not.toMatch(/SECRET_KEY|PASSWORD|BORG_PASSPHRASE=/);
});

test('stores no secret in the log, the database or other files', async () => {
  await api.post('/api/repositories/import', {
    name: 'wrong',
    path: repository,
    passphrase: `${passphrase}x`,
  });
  await api.request('POST', '/api/auth/login', { form: { username: 'anna', password: `${userPassword}x` } });
  await api.as('no-such-token').get('/api/auth/me');
  await api.get('/api/archives/list', { repository });
  expect(server.log.length).toBeGreaterThan(100);
  const stored = await ofDatabase(server.database());
  expect(`${stored.content}`).toContain('admin');
  const materials = [ofLog(server.log), stored, ...ofFiles([server.dataDirectory])];
  expect(leaksIn(materials, withApiToken())).toEqual([]);
});

test('returns no secret except a new token', async () => {
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
  expect(leaksIn(ofAnswers(api.answers), book)).toEqual([]);
  expect(api.answers.filter(({ text }) => text.includes(apiToken))).toHaveLength(1);
});

test('makes files with secrets or data readable by their owner only', () => {
  for (const file of filesBelow(server.dataDirectory)) {
    if (/secret|\.db/.test(file)) expect((statSync(file).mode & 0o077).toString(8), file).toBe('0');
  }
});

test('prints a generated password once at the first start', async () => {
  const fresh = await TestServer.start({ env: { INITIAL_ADMIN_PASSWORD: undefined } });
  try {
    const look = () => /user admin, password (\S{12,}) /.exec(fresh.log)?.[1];
    const password = await waitFor(look, { what: 'the generated password', timeoutMs: 60_000 });
    expect(fresh.log.split(password)).toHaveLength(2);
    const session = await fresh.login('admin', password);
    expect((await session.get('/api/auth/me')).status).toBe(200);
    await fresh.restart();
    expect(fresh.log.split(password)).toHaveLength(2);
  } finally {
    await fresh.remove();
  }
});
