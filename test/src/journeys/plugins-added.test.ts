import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, archivesOf, backUp, contentsOf, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { addMoodyPlugins } from '../broken-plugins/moody-packages.js';
import { PluginFolder, pluginCode } from '../broken-plugins/packages.js';
import { adminPassword, TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace, type Workspace } from '../workspace.js';

const token = 'token-that-nobody-else-may-see';
const transport = (scheme: string) => pluginCode({ port: `{ schemes: ['${scheme}'], async send() {} }` });

let workspace: Workspace;
let server: TestServer;
let api: Api;
let pid: number;

/** Adds a package as a person would. */
const install = (folder: string, ...words: string[]) =>
  execFileSync('npm', ['install', '--prefix', folder, '--offline', '--no-audit', '--no-fund', ...words], {
    stdio: 'pipe',
  });

beforeAll(async () => {
  workspace = makeWorkspace();
  const dataDirectory = workspace.folder('data');
  const packages = new PluginFolder(workspace.folder('packages'));
  const moody = addMoodyPlugins(packages);
  const inDataFolder = join(dataDirectory, 'plugins');
  mkdirSync(inDataFolder);
  install(inDataFolder, packages.add('shelf', { code: transport('shelf') }));
  install(inDataFolder, '--save-optional', packages.add('shaky', { code: 'throw undefined;' }));
  new PluginFolder(join(inDataFolder, 'own')).add('.', {
    more: { name: 'own' },
    holdfast: { id: 'own', schemes: ['own'], apiVersion: '>=1 <3' },
    code: transport('own'),
  });
  const hangs = packages.add('hangs', {
    code: pluginCode({ port: "{ schemes: ['hangs'], send() {}, start: () => new Promise(() => {}) }" }),
  });
  const importer = packages.add('own-borgmatic', {
    holdfast: { kind: 'importer', id: 'borgmatic' },
    code: pluginCode({
      kind: 'importer',
      port: '{ read: (files) => { throw new TypeError(files[0].content); } }',
    }),
  });
  server = await TestServer.start({
    workspace,
    dataDirectory,
    env: {
      PLUGINS: [...moody, importer, 'optional:no-such-plugin', `optional:${hangs}`].join(' , '),
      PLUGIN_NOTIFY_MOODY_TOKEN: token,
      PLUGIN_NOTIFY_MOODY_LIMITS: '3, 4',
      PLUGIN_NOTIFY_MOODY_TOKENS: 'x',
      PLUGIN_STORAGE_MOODY_FILE: join(dataDirectory, 'moody.db'),
      PLUGIN_CACHE_MOODY_MAX_SIZE_MB: '16',
      KVCACHE_PASWORD: 'x',
      DATABSE_URL: 'x',
    },
  });
  pid = server.pid;
  api = await server.login();
});
afterAll(async () => {
  await server?.remove();
  workspace.remove();
});

/** What the plugin of this kind does from now on; empty: what it should. */
function setMood(kind: string, text: string): void {
  const file = join(server.dataDirectory, 'plugin-data', `${kind}-moody`, 'mood');
  if (text === '') rmSync(file);
  else writeFileSync(file, text);
}

const lineWith = (text: string) => server.log.split('\n').find((line) => line.includes(text));
const health = async () => (await server.api.get('/health')).body;

test('lists each with its origin and its problem', async () => {
  const { body } = await api.get('/api/plugins');
  const listed = (name: string) => body.plugins.find((one: { name: string }) => one.name === name);
  const sound = { from: 'PLUGINS', chosen: true, optional: false, healthy: true, problem: null };
  for (const kind of ['storage', 'jobs', 'cache', 'driver']) {
    expect(listed(`${kind}-moody`)).toMatchObject({ ...sound, kind, id: 'moody', version: '1.0.0' });
  }
  expect(listed('notify-moody')).toMatchObject({ healthy: false, problem: 'notify-moody is not healthy.' });
  expect(listed('shelf')).toMatchObject({ ...sound, from: 'data folder', capabilities: ['shelf'] });
  expect(listed('own')).toMatchObject({ ...sound, from: 'data folder', capabilities: ['own'] });
  const failed = { chosen: true, optional: true, healthy: false };
  expect(listed('shaky')).toMatchObject({
    ...failed,
    problem: "shaky can't be imported: it gave no reason.",
  });
  expect(listed('hangs')).toMatchObject({ ...failed, problem: 'hangs took more than 5 s to start.' });
  expect(listed('no-such-plugin')).toMatchObject({ ...failed, kind: null, id: null, version: null });
  expect(listed('@holdfast/storage-sqlite')).toMatchObject({ chosen: false, healthy: null });
  expect((await server.api.get('/api/plugins')).status).toBe(401);
});

test('uses an added importer instead of the built-in one, and names it on failure', async () => {
  const { body } = await api.get('/api/plugins');
  const importers = body.plugins.filter(({ id }: { id: string }) => id === 'borgmatic');
  expect(importers).toMatchObject([{ name: 'own-borgmatic', id: 'borgmatic', chosen: true, healthy: true }]);
  const files = [{ name: '/etc/borgmatic/config.yaml', content: 'encryption_passphrase: sesame' }];
  const failed = await api.post('/api/import/borgmatic', { files, dry_run: true });
  expect(failed).toMatchObject({ status: 500, body: { code: 'importer_failed' } });
  expect(failed.body.detail).toBe(
    'own-borgmatic failed: it threw an error (TypeError). Nothing was imported.',
  );
  const { detail } = (await api.get('/api/export/borgmatic')).body;
  expect(detail).toBe('own-borgmatic failed: it does not offer this. Nothing was imported.');
});

test('reports failed optional plugins in /health and in the log', async () => {
  const { ready, degraded } = await health();
  expect(ready).toBe(true);
  const why = 'is not healthy; administrators see why in GET /api/plugins.';
  for (const who of ['An optional plugin', 'The notify plugin shaky', 'The notify plugin hangs']) {
    expect(degraded).toContain(`${who} ${why}`);
  }
  expect(lineWith('no-such-plugin is not installed')).toContain('an optional plugin failed');
});

test('names unused variables with similar names', () => {
  const warned = (variable: string, nearest: string) => {
    const line = lineWith(`"${variable}"`);
    expect(line).toContain(`"nearest":"${nearest}"`);
    expect(line).toContain('"level":"warn"');
  };
  warned('PLUGIN_NOTIFY_MOODY_TOKENS', 'PLUGIN_NOTIFY_MOODY_TOKEN');
  warned('KVCACHE_PASWORD', 'KVCACHE_PASSWORD');
  warned('DATABSE_URL', 'DATABASE_URL');
});

const send = async (where: string) =>
  (await api.post('/api/notifications/test', { service_url: `moody://${where}` })).body;

test('handles any thrown or rejected value of a transport', async () => {
  expect(await send('well')).toMatchObject({ success: true });
  expect(await send('throws')).toMatchObject({
    success: false,
    message: 'thrown in the turn of the caller.',
  });
  expect(await send('nothing')).toMatchObject({ success: false, message: 'it gave no reason.' });
  expect(await send('loop')).toMatchObject({ success: false, message: expect.stringContaining('Circular') });
  expect(await send('unreadable')).toMatchObject({
    success: false,
    message: expect.stringMatching(/could not check/),
  });
  expect(await send('later')).toMatchObject({ success: true });
  const line = await waitFor(() => lineWith('uncaught error of a plugin'), {
    what: 'the log',
  });
  expect(line).toContain('"plugin":"notify-moody"');
});

test('passes the converted configuration and keeps its secret', async () => {
  await waitFor(() => server.log.includes('the moody transport sends'), { what: 'the log' });
  expect(server.log).toContain('"token":"***","limits":[3,4],"quiet":false,"left":[]');
  expect(server.log).not.toContain(token);
});

test('backs up with added plugins of every kind and a failing timer service', async () => {
  const source = workspace.folder('source');
  makeFiles(source, 20);
  const path = join(workspace.path, 'repository');
  const hook = `env > ${join(workspace.path, 'hook-env')}`;
  await createRepository(api, { name: 'moody', path, source_directories: [source], pre_backup_script: hook });
  expect((await backUp(api, path)).status).toBe('completed');
  setMood('jobs', 'odd');
  expect((await backUp(api, path)).status).toBe('completed');
  expect(readFileSync(join(workspace.path, 'hook-env'), 'utf8')).not.toMatch(/PLUGIN_|token-that/);
});

test('works without a failing cache', async () => {
  const path = join(workspace.path, 'repository');
  const [{ name: archive = '' } = {}] = await archivesOf(api, path);
  const where = { repository: path, archive, path: archived(join(workspace.path, 'source', 'dir-0000')) };
  expect(await contentsOf(api, where)).toHaveLength(20);
  const stats = async () => (await api.get('/api/cache/stats')).body;
  expect(await stats()).toMatchObject({ backend: 'plugin', connection_info: 'plugin:moody' });
  setMood('cache', 'odd');
  expect(await contentsOf(api, where)).toHaveLength(20);
  expect(await stats()).toMatchObject({ backend: 'in-memory', redis_fallback: true });
  setMood('cache', '');
  await waitFor(async () => (await stats()).backend === 'plugin', { what: 'the cache in use again' });
});

test('fails only the job and request of a failing driver', async () => {
  const path = join(workspace.path, 'repository');
  setMood('driver', 'odd');
  const job = await backUp(api, path);
  expect(job).toMatchObject({
    status: 'failed',
    error_message: expect.stringMatching(/driver-moody failed: .*Circular/),
  });
  const flags = await api.put('/api/repositories/1', { custom_flags: '--stats' });
  expect([flags.status, flags.text]).toEqual([
    400,
    expect.stringContaining('driver-moody could not check this'),
  ]);
  setMood('driver', '');
  expect((await backUp(api, path)).status).toBe('completed');
});

test('fails requests until a failing storage works again', async () => {
  for (const mood of ['odd']) {
    setMood('storage', mood);
    const answer = await api.get('/api/repositories/');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.body.detail).toBe('The database does not respond. Try again later.');
    setMood('storage', '');
    expect((await api.get('/api/repositories/')).status).toBe(200);
  }
});

test('survives all of it and ends cleanly', async () => {
  expect(server.pid).toBe(pid);
  expect((await health()).status).toBe('healthy');
  expect(await server.stop()).toBe(0);
  expect(server.log).not.toContain(adminPassword);
});
