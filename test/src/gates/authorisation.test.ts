import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, neededRight } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository } from '../actions.js';
import { Browser } from '../browser.js';
import { backUpItself, passphraseOf, switchOn } from '../self-backup.js';
import { adminPassword, TestServer } from '../server.js';
import { setUpTotp } from '../totp.js';
import { fillPath, parametersOf, routesOf } from './contract-routes.js';
import { exchange } from './exchange.js';
import type { Visitor } from './judge-access.js';
import { plantedLeaks, startLeaky } from './planted-leaks.js';
import { allVisitors, bearer, limitedOnes } from './visitors.js';
import { nowhere, walkAccess } from './walk-access.js';
import { selfBackupObjects, walkHidden } from './walk-hidden.js';
import { addDrill, addIncident, makeWorld, userPassword, type World } from './world.js';

const routes = routesOf(contract);
let world: World;

beforeAll(async () => {
  world = await makeWorld({ env: { EXPENSIVE_CALLS_PER_MINUTE: '1000000' } });
});
afterAll(() => world?.server.remove());

const existing = (parameter: string): string => (parameter.startsWith('archive_') ? world.archive : '1');

test('admits exactly the callers in its contract, and reveals nothing to others', async () => {
  const ground = { base: world.server.api.baseUrl, routes, visitors: await allVisitors(world), existing };
  expect(await walkAccess(ground)).toEqual([]);
});

test('grants limited users all routes of their own account', () => {
  const own = routes.filter(
    ({ path, metadata }) => path.startsWith('/api/auth/') && metadata?.access.who === 'any',
  );
  expect(own.filter((route) => neededRight(route) === undefined).map(({ name }) => name)).toEqual([]);
});

/** Else the walk would compare a missing object with a missing one. */
test('uses parameters of existing objects in the walk', async () => {
  const parameters = new Map<string, boolean>();
  for (const route of routes.filter(
    ({ method, metadata }) => method === 'GET' && metadata?.access.who !== 'public',
  )) {
    const statusOf = async (valueFor: (parameter: string) => string) => {
      const target = `${fillPath(route.path, valueFor)}?repository_id=1`;
      const headers = { authorization: `Bearer ${world.api.token}` };
      return (await exchange(world.server.api.baseUrl, { method: 'GET', target, headers })).status;
    };
    const apart = (await statusOf(existing)) !== (await statusOf(() => nowhere));
    for (const name of parametersOf(route)) parameters.set(name, parameters.get(name) || apart);
  }
  expect([...parameters].filter(([, apart]) => !apart).map(([name]) => name)).toEqual([]);
});

test('returns the texts of scripts and hooks to administrators only', async () => {
  const { api, server } = world;
  const secret = 'word-in-a-script';
  const script = { content: `: ${secret} \${A:-${secret}}`, description: 'about it' };
  expect((await api.put('/api/scripts/1', script)).status).toBe(200);
  const hooks = { pre_backup_script: `: ${secret}`, post_backup_script: `: ${secret}` };
  expect((await api.put('/api/repositories/1', hooks)).status).toBe(200);
  const tellingTo = async (token: string | null) => {
    const telling: string[] = [];
    for (const { name, path, method } of routes) {
      if (method !== 'GET') continue;
      const target = `${fillPath(path, existing)}?repository_id=1`;
      const headers = { authorization: `Bearer ${token}` };
      const answer = await exchange(server.api.baseUrl, { method, target, headers });
      if (answer.body.includes(secret)) telling.push(name);
    }
    return telling.sort();
  };
  expect(await tellingTo(api.token)).toEqual([
    'GET /api/export/borgmatic',
    'GET /api/repositories/',
    'GET /api/repositories/:repo_id',
    'GET /api/repositories/:repo_id/scripts',
    'GET /api/repositories/:repo_id/scripts/:attachment_id',
    'GET /api/scripts',
    'GET /api/scripts/:script_id',
    'GET /api/settings/export',
  ]);
  const user = await server.login('mira', userPassword);
  expect(await tellingTo(user.token)).toEqual([]);
  const shown = (await user.get('/api/repositories/1')).body.repository;
  expect(shown).toMatchObject({ pre_backup_script: '***', post_backup_script: '***' });
  expect((await user.get('/api/scripts/1')).body).toMatchObject({ name: 'nothing', content: '***' });
  // What was masked and is sent back changes nothing.
  await api.put('/api/repositories/1', { pre_backup_script: shown.pre_backup_script });
  await api.put('/api/scripts/1', { content: '***' });
  expect((await api.get('/api/repositories/1')).body.repository).toMatchObject(hooks);
  expect((await api.get('/api/scripts/1')).body).toMatchObject(script);
});

test('refuses to change or remove a connection when a user asks', async () => {
  const user = await world.server.login('mira', userPassword);
  const connection = '/api/ssh-keys/connections/1';
  const before = (await user.get(connection)).body;
  for (const change of [
    { host: '127.0.0.2' },
    { default_path: '/x' },
    { use_sftp_mode: false },
    { trusted: true },
    { sudo: true },
  ])
    expect((await user.put(connection, change)).status).toBe(403);
  expect((await user.delete(connection)).status).toBe(403);
  expect((await user.get(connection)).body).toEqual(before);
});

test('hides the backup of Holdfast itself from users on every route', async () => {
  const { api, server } = world;
  const own = await switchOn(api, { path: join(world.stores, 'the-own-one') });
  expect((await backUpItself(api)).status).toBe('completed');
  await api.post(`/api/repositories/${own.repository_id}/check`, {});
  const about = { repository_id: own.repository_id };
  const over = { is_open: false, open_thread: null, object_name: 'Holdfast itself' };
  await addIncident(server, { ...about, ...over, object_kind: 'repository', object_id: own.repository_id });
  await addDrill(server, { ...about, job_id: 1_000_001, repository_name: 'Holdfast itself' });
  const copy = join(world.stores, 'a-copy-of-it');
  cpSync(own.path, copy, { recursive: true });
  const again = { name: 'copy', path: copy, passphrase: await passphraseOf(server), mode: 'observe' };
  const imported = await api.post('/api/repositories/import', again);
  expect([imported.status, imported.body.warnings]).toEqual([
    201,
    [expect.stringContaining('only administrators')],
  ]);
  const ofCopy = { ...own, repository_id: imported.body.repository.id as number, path: copy };
  const { marks, values } = await selfBackupObjects(api, own);
  const secret = readFileSync(join(server.dataDirectory, 'secret_key'));
  const hidden = { values, marks: new Map([...marks, ['the secret key', secret.subarray(0, 32)]]) };
  for (const [name, of] of Object.entries(values)) expect([name, of.length]).not.toEqual([name, 0]);
  const user = await server.login('mira', userPassword);
  const { access_token: readOnly } = (await user.post('/api/auth/tokens', { name: 'r', read_only: true }))
    .body;
  for (const token of [user.token ?? '', readOnly as string]) {
    expect(await walkHidden({ base: server.api.baseUrl, routes, token, hidden })).toEqual([]);
  }
  const { repo_id = [], repository_id = [], repository = [] } = (await selfBackupObjects(api, ofCopy)).values;
  const copied = { ...hidden, values: { ...values, repo_id, repository_id, repository } };
  const token = user.token ?? '';
  expect(await walkHidden({ base: server.api.baseUrl, routes, token, hidden: copied })).toEqual([]);
  const seen = (await user.get('/api/overview')).body;
  expect([seen.counts.total, seen.repositories.length]).toEqual([1, 1]);
  expect((await api.get('/api/overview')).body.counts.total).toBe(3);
});

/** What a caller is told without asking for anything in particular, without times and free space. */
async function toldTo({ baseUrl }: { baseUrl: string }, token: string): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (const { name, path, method } of routes) {
    if (method !== 'GET' || !neededRight({ method, path }) || path === '/api/events') continue;
    const target = `${fillPath(path, existing)}?repository_id=1&days=7&query=e&path=/&timezone=UTC&include_files=true`;
    const answer = await exchange(baseUrl, { method, target, headers: { authorization: `Bearer ${token}` } });
    told[name] = `${answer.status} ${answer.body}`
      .replaceAll(/"[^"]*\d{4}-\d\d-\d\d[^"]*"/g, '"a time"')
      .replaceAll(/"(?!total")\w*(free|total|used|age|percent|seconds)\w*":[\d.]+/g, '"a measure":0')
      .replaceAll(/\b\d[\d.,]* h\b/g, 'an age')
      .replaceAll(/"sha256":"\w+"/g, '"a sum": 0');
  }
  return told;
}

test('hides repositories and file names that were not granted on every route', async () => {
  const { api, server, stores } = world;
  const limited = await Promise.all(
    (await limitedOnes(api, server.login.bind(server), 'other-')).map(async ({ name, credentials }) => {
      const { headers } = await credentials(true);
      return { name, token: `${headers?.authorization}`.replace('Bearer ', '') };
    }),
  );
  const before = new Map<string, Record<string, string>>();
  for (const { name, token } of limited) before.set(name, await toldTo(server.api, token));
  const toSeer = JSON.stringify(before.get('a limited user who may see'));
  for (const name of [world.source, 'file.txt']) expect(toSeer).not.toContain(name);
  // Of a host, and of a channel.
  for (const name of ['nobody@127.0.0.1', 'nobody listens'])
    expect(JSON.stringify([...before.values()])).not.toContain(name);
  const source = server.workspace.folder('private letters');
  writeFileSync(join(source, 'to-somebody.txt'), 'text');
  const path = join(stores, 'not-granted');
  const { id } = await createRepository(api, {
    name: 'nobody else may know',
    path,
    encryption: 'none',
    source_directories: [source, '/nowhere/gone'],
    tags: ['confidential-tag'],
  });
  const schedule = { name: 'confidential schedule', cron_expression: '0 0 1 1 *', repository_id: id };
  const { body: made } = await api.post('/api/schedule/', schedule);
  await backUp(api, path);
  await api.post(`/api/repositories/${id}/check`, {});
  const about = { repository_id: id, is_open: false, open_thread: null, object_name: 'nobody else may know' };
  await addIncident(server, { ...about, object_kind: 'repository', object_id: id });
  await addDrill(server, { repository_id: id, job_id: 1_000_002, repository_name: 'nobody else may know' });
  const schedule_id = made.job?.id ?? made.schedule?.id ?? made.id;
  const { marks, values } = await selfBackupObjects(api, { repository_id: id, schedule_id, path } as never);
  const hidden = {
    values,
    marks: new Map<string, string | Buffer>([
      ...marks,
      ['its schedule', schedule.name],
      ['its tag', 'confidential-tag'],
      ['its sources', 'private letters'],
    ]),
  };
  hidden.marks.delete('the folder of its copies');
  for (const [name, of] of Object.entries(values)) expect([name, of.length]).not.toEqual([name, 0]);
  for (const { name, token } of limited) {
    expect([name, await walkHidden({ base: server.api.baseUrl, routes, token, hidden })]).toEqual([name, []]);
    // Numbers tell, too.
    expect(await toldTo(server.api, token)).toEqual(before.get(name));
  }
  // The gate itself: each planted leak is found, for a user with any right.
  const [{ name: viewer, token } = { name: '', token: '' }] = limited.filter(({ name }) =>
    /restore$/.test(name),
  );
  const ids = ['repo_id', 'repository_id', 'repository', 'job_id', 'archive'].flatMap(
    (key) => values[key] ?? [],
  );
  for (const planted of plantedLeaks) {
    const walked = routes.filter(({ name }) => name === planted.route);
    const pattern = new RegExp(`^${planted.route.replace(/^\w+ /, '').replaceAll(/:\w+/g, '[^/]+')}$`);
    const matches = (method: string, path: string) => method === 'GET' && pattern.test(path);
    const about = { base: server.api.baseUrl, name: 'nobody else may know', ids, matches };
    const leaky = await startLeaky(about, planted);
    const found = await walkHidden({ base: leaky.base, routes: walked, token, hidden });
    const told = JSON.stringify(await toldTo({ baseUrl: leaky.base }, token));
    await leaky.end();
    const differs = told !== JSON.stringify(before.get(viewer));
    expect([planted.where, walked.length, found.length > 0 || differs]).toEqual([planted.where, 1, true]);
  }
});

test('keeps those out who still have to set up a second factor', async () => {
  const server = await TestServer.start({ env: { REQUIRE_SECOND_FACTOR: 'all' } });
  try {
    const pending: Pick<Visitor, 'standing' | 'mustChangePassword'> = {
      standing: 'admin',
      mustChangePassword: true,
    };
    const visitors: Visitor[] = [
      {
        ...pending,
        name: 'an administrator without a second factor',
        credentials: async () => bearer((await server.login()).token),
      },
      {
        ...pending,
        name: 'an administrator without a second factor, in a browser',
        unconfirmed: true,
        credentials: async () => bearer((await Browser.signIn(server.api)).page.token),
      },
    ];
    expect(await walkAccess({ base: server.api.baseUrl, routes, visitors, existing: () => '1' })).toEqual([]);
    const admin = await server.login();
    expect((await admin.get('/api/auth/me')).body.must_set_up_second_factor).toBe(true);
    await setUpTotp(admin, adminPassword);
    expect((await admin.get('/api/overview')).status).toBe(200);
  } finally {
    await server.remove();
  }
});
