import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { contract } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository, expectRefusal } from '../actions.js';
import type { Answer, Api } from '../api.js';
import { Browser } from '../browser.js';
import { routesOf } from '../gates/contract-routes.js';
import { makeWorld, type World } from '../gates/world.js';
import { backUpItself, type SelfBackup, switchOn } from '../self-backup.js';
import { adminPassword, TestServer } from '../server.js';

let world: World;
let second: TestServer;

let own: SelfBackup;
let copy: string;

beforeAll(async () => {
  world = await makeWorld({ driver: 'memory' });
  own = await switchOn(world.api, { path: `${world.stores}/own` });
  copy = (await backUpItself(world.api)).archive_name ?? '';
  const { workspace, dataDirectory } = world.server;
  second = await TestServer.start({ driver: 'memory', workspace, dataDirectory });
});
afterAll(async () => {
  await second?.stop();
  await world?.server.remove();
});

const secretKey = () => `${world.server.dataDirectory}/self-backup/holdfast-copy/secret_key`.slice(1);
const ofCopy = () => ({ repository_id: own.repository_id, archive: copy });

/** Each pause is longer than the one before. */
let pauses = 0;

/** By the names of their routes. Each does what can't be undone to a repository of its own. */
const actions: Record<string, (api: Api, target: Target) => Promise<Answer>> = {
  'DELETE /api/archives/:archive_id': (api, { id, archive }) =>
    api.delete(`/api/archives/${archive}`, { repository_id: id }),
  'POST /api/repositories/:repo_id/prune': (api, { id }) =>
    api.post(`/api/repositories/${id}/prune`, { keep_daily: 1 }),
  'POST /api/repositories/:repo_id/change-passphrase': (api, { id }) =>
    api.post(`/api/repositories/${id}/change-passphrase`, { passphrase: 'long enough to change' }),
  'PUT /api/schedule/:job_id': (api, { schedule }) =>
    api.put(`/api/schedule/${schedule}`, { prune_keep_daily: 3 }),
  'POST /api/schedule/:job_id/adopt': (api, { id, schedule }) =>
    api.post(`/api/schedule/${schedule}/adopt`, { repository_id: id, pattern: '*' }),
  'POST /api/import/borgmatic': (api, { name }) => {
    const path = `${world.stores}/${name.replace(' ', '-')}`;
    const content = `repositories:\n  - path: ${path}\nencryption_passphrase: long enough\n`;
    return api.post('/api/import/borgmatic', { files: [{ name: 'config.yaml', content }] });
  },
  'POST /api/repositories/:repo_id/take-over': (api, { id, name }) =>
    api.post(`/api/repositories/${id}/take-over`, {
      old_scheduler_off: true,
      old_archives: 'adopt',
      source_directories: [world.source],
      schedule: { name: `${name} taken over`, cron_expression: '0 0 1 1 *' },
    }),
  'POST /api/settings/import': (api) =>
    api.post('/api/settings/import', { document: { format: 'holdfast-settings', version: 1 } }),
  'POST /api/repositories/': (api, { name }) =>
    api.post('/api/repositories/', {
      name: `${name} with a hook`,
      path: `${world.stores}/${name} hook`,
      encryption: 'none',
      source_directories: [world.source],
      pre_backup_script: 'true',
    }),
  'POST /api/schedule/': (api, { id, name }) => {
    const plan = { name: `${name} with a script`, cron_expression: '0 0 1 1 *', repository_id: id };
    return api.post('/api/schedule/', { ...plan, pre_backup_script_id: 1 });
  },
  'POST /api/schedule/:job_id/toggle': (api, { schedule }) => api.post(`/api/schedule/${schedule}/toggle`),
  'PUT /api/schedule/pause': (api) => {
    pauses += 1;
    const pause_until = new Date(Date.now() + pauses * 86_400_000).toISOString();
    return api.put('/api/schedule/pause', { pause_until });
  },
  'POST /api/auth/tokens': (api, { name }) => api.post('/api/auth/tokens', { name }),
  'GET /api/archives/download': (api) =>
    api.get('/api/archives/download', { ...ofCopy(), file_path: secretKey() }),
  'POST /api/restore/start': (api, { name }) =>
    api.post('/api/restore/start', { ...ofCopy(), destination: `${world.stores}/${name} restored` }),
  'POST /api/restore/start over files': (api, { archive, name, id }) => {
    const destination = `${world.stores}/${name} overwritten`;
    return api.post('/api/restore/start', { repository: id, archive, destination, overwrite: true });
  },
  'POST /api/restore/dump': async (api, { name }) => {
    const [path, file] = [`${world.stores}/${name} database`, `${world.stores}/${name}.db`];
    if (!existsSync(file)) {
      execFileSync('sqlite3', [file, 'CREATE TABLE customers (name)']);
      const sources = [{ kind: 'sqlite', name: 'shop', settings: { files: file } }];
      await createRepository(world.api, { name: `${name} database`, path, sources });
      await backUp(world.api, path);
    }
    const archive = (await archivesOf(world.api, path)).at(-1)?.name;
    const dump = `holdfast-sources/sqlite/shop/${encodeURIComponent(file)}`;
    return api.post('/api/restore/dump', {
      repository: path,
      archive,
      path: dump,
      into: file,
      replace: file,
    });
  },
  'PUT /api/system/self-backup': (api) => api.put('/api/system/self-backup', { enabled: true }),
};

interface Target {
  id: number;
  name: string;
  archive: string;
  schedule: number;
}

let targets = 0;
async function newTarget(): Promise<Target> {
  targets += 1;
  const name = `target ${targets}`;
  const { api, source, stores } = world;
  const settings = {
    name,
    path: `${stores}/target-${targets}`,
    encryption: 'repokey',
    passphrase: 'long enough',
  };
  const { id, path } = await createRepository(api, { ...settings, source_directories: [source] });
  const { archive_name } = await backUp(api, path);
  const plan = { name, cron_expression: '0 0 1 1 *', repository_id: id };
  const schedule = (await api.post('/api/schedule/', plan)).body.job.id;
  return { id, name, archive: archive_name ?? '', schedule };
}

/** The same code as of a neighbour. */
const sameAs = [
  'POST /api/repositories/import',
  'PUT /api/repositories/:repo_id/check-schedule',
  'PUT /api/repositories/:repo_id/drill-schedule',
];

test('has an action for each route that only sometimes requires confirmation', () => {
  const wanting = routesOf(contract).filter(({ metadata }) => metadata?.access.confirm === 'sometimes');
  const names = [...Object.keys(actions), ...sameAs];
  expect(wanting.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
});

test.each(Object.entries(actions))('%s requires confirmation in a browser', async (_name, act) => {
  const target = await newTarget();
  const browser = await Browser.signIn(world.server.api);
  const refused = await act(browser.page, target);
  expectRefusal(refused, 403, /POST \/api\/auth\/confirm/);
  expect(refused.body.code).toBe('confirmation_required');
  const confirmed = await browser.page.post('/api/auth/confirm', {
    password: 'correct horse battery staple',
  });
  expect(confirmed.status).toBe(200);
  const left = Date.parse(confirmed.body.confirmed_until) - Date.now();
  expect(left).toBeGreaterThan(9 * 60_000);
  expect(left).toBeLessThanOrEqual(10 * 60_000);
  // At another instance, with the access token of another tab.
  const tab = await browser.refresh({ api: second.api });
  const done = await act(second.api.as(tab.body.access_token), target);
  expect(`${done.status} ${done.text}`).toMatch(/^20[01] /);
});

test.each(Object.entries(actions))('%s requires no confirmation from programs', async (_name, act) => {
  const made = await world.api.post('/api/auth/tokens', { name: 'script' });
  for (const api of [world.api, world.api.as(made.body.access_token)]) {
    const done = await act(api, await newTarget());
    expect(`${done.status} ${done.text}`).toMatch(/^20[01] /);
  }
});

test('completes a refused call when it is confirmed and repeated with its key', async () => {
  const { archive, name, id } = await newTarget();
  const { page } = await Browser.signIn(world.server.api);
  const body = { repository: id, archive, destination: `${world.stores}/${name} again`, overwrite: true };
  const headers = { 'idempotency-key': name.replace(' ', '-') };
  const ask = () => page.request('POST', '/api/restore/start', { json: body, headers });
  expect((await ask()).body.code).toBe('confirmation_required');
  await page.post('/api/auth/confirm', { password: adminPassword });
  const done = await ask();
  expect([done.status, (await ask()).body.job_id]).toEqual([200, done.body.job_id]);
});

test('asks for the password before a ticket opens a copy of the secret key', async () => {
  const { page } = await Browser.signIn(world.server.api);
  const url = `/api/archives/download?${new URLSearchParams({ repository: own.path, archive: copy, file_path: secretKey() })}`;
  const ticket = () => page.post('/api/download-tickets', { url });
  expect((await ticket()).body.code).toBe('confirmation_required');
  const withJunk = await page.get(`${url}&ticket=hft_x`);
  expect(withJunk.body.code).toBe('confirmation_required');
  await page.post('/api/auth/confirm', { password: adminPassword });
  const link = (await ticket()).body.url as string;
  const file = await world.server.api.get(link);
  const secret = readFileSync(`${world.server.dataDirectory}/secret_key`, 'utf8').trim();
  expect([file.status, file.text.trim()]).toEqual([200, secret]);
  const { entries } = (await world.api.get('/api/audit', { kind: 'download' })).body;
  expect(entries[0]).toMatchObject({ username: 'admin', action: 'archivesDownload', status: 200 });
  const { body } = await world.api.post('/api/auth/tokens', { name: 'reader', read_only: true });
  const reader = world.api.as(body.access_token);
  expect((await reader.get(url)).body.code).toBe('self_backup_files_protected');
  expect((await reader.post('/api/download-tickets', { url })).status).toBe(403);
});

test('is required to turn off or move plans, but not to create them', async () => {
  const { schedule, id } = await newTarget();
  const { page } = await Browser.signIn(world.server.api);
  const codes = async (path: string, bodies: object[]) => {
    const answers: unknown[] = [];
    for (const body of bodies) {
      const { status, body: answer } = await page.put(path, body);
      answers.push(status === 200 ? 200 : answer.code);
    }
    return answers;
  };
  const asked = 'confirmation_required';
  const [daily, yearly] = [{ cron_expression: '0 3 * * *' }, { cron_expression: '0 3 1 1 *' }];
  const never = { cron_expression: null };
  expect(await codes(`/api/repositories/${id}/check-schedule`, [daily, yearly, never, daily])).toEqual([
    200,
    asked,
    asked,
    200,
  ]);
  expect(
    await codes(`/api/repositories/${id}/drill-schedule`, [daily, yearly, never, { sample_files: 9 }]),
  ).toEqual([200, asked, asked, 200]);
  const schedules = [
    { enabled: false },
    daily,
    never,
    { repository_ids: [1] },
    { pre_backup_script_id: 1 },
    { name: `n${id}` },
  ];
  expect(await codes(`/api/schedule/${schedule}`, schedules)).toEqual([...Array(5).fill(asked), 200]);
  await page.post('/api/auth/confirm', { password: adminPassword });
  expect((await page.post(`/api/schedule/${schedule}/toggle`)).status).toBe(200);
  const again = await Browser.signIn(world.server.api);
  expect((await again.page.post(`/api/schedule/${schedule}/toggle`)).status).toBe(200);
});

test('is not required if a schedule keeps as many archives as before', async () => {
  const { schedule, id } = await newTarget();
  const { page } = await Browser.signIn(world.server.api);
  const path = `/api/schedule/${schedule}`;
  expect((await page.put(path, { prune_keep_daily: 8, description: 'more' })).status).toBe(200);
  expect((await page.put(path, { run_prune_after: true })).body.code).toBe('confirmation_required');
  const dry = await page.post(`/api/repositories/${id}/prune`, { keep_daily: 1, dry_run: true });
  expect(dry.status).toBe(200);
});

test('fails with a wrong password, counts as a failed login and is audited', async () => {
  const { username, password } = { username: 'anna', password: 'a password of anna' };
  await world.api.post('/api/auth/users', { username, password, is_admin: true });
  const { page } = await Browser.signIn(world.server.api, { username, password });
  const confirm = (attempt: string) => page.post('/api/auth/confirm', { password: attempt });
  for (let n = 0; n < 6; n++) {
    const refused = await confirm('wrong');
    expectRefusal(refused, 400, /wrong/);
    expect(refused.body.code).toBe('password_wrong');
  }
  expectRefusal(await confirm(password), 429);
  expectRefusal(await page.get('/api/repositories/1/keyfile'), 403, /Confirm/);
  const { entries } = (await world.api.get('/api/audit', { action: 'authSessionConfirm', user: username }))
    .body;
  expect(entries.map(({ status }: { status: number }) => status)).toEqual([429, ...Array(6).fill(400)]);
  expect(JSON.stringify(entries)).not.toContain(password);
  for (const { log } of [world.server, second]) expect(log).not.toContain(password);
});
