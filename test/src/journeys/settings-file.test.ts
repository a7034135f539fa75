import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { holdfast } from '../command.js';
import { markedBy } from '../faults/point.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

const sealPassphrase = 'a seal that nobody guesses';
const secrets = {
  passphrase: 'the passphrase of documents',
  url: 'jsons://robot:Pq7secretPq7@127.0.0.1:9/hook',
  parameter: 'Kx9parameterKx9',
  database: 'Zt3databaseZt3',
};
const database = (kind: string) => ({
  kind,
  name: 'shop',
  settings: { host: '127.0.0.1', port: '1', password: secrets.database },
});
let old: TestServer;
let fresh: TestServer;
let from: Api;
let to: Api;

beforeAll(async () => {
  [old, fresh] = await Promise.all([
    TestServer.start({ driver: 'memory' }),
    TestServer.start({ driver: 'memory' }),
  ]);
  [from, to] = await Promise.all([old.login(), fresh.login()]);
  const source = old.workspace.folder('source');
  makeFiles(source, 5);
  const set = await from.post('/api/source-sets', { name: 'shared', source_directories: [source] });
  const shared = { source_set_id: set.body.source_set.id, passphrase: secrets.passphrase };
  const ids: number[] = [];
  for (const name of ['documents', 'copies']) {
    const path = join(old.workspace.path, name);
    ids.push((await createRepository(from, { name, path, ...shared })).id);
  }
  await createRepository(from, {
    name: 'open',
    path: join(old.workspace.path, 'open'),
    encryption: 'none',
    tags: ['web', 'Web', ' cellar '],
    source_directories: [source],
    sources: [database('postgresql')],
  });
  const other = { name: 'databases', source_directories: [source], sources: [database('mysql')] };
  expect((await from.post('/api/source-sets', other)).status).toBe(201);
  const script = await from.post('/api/scripts', {
    name: 'tell',
    content: `echo \${API_TOKEN} \${PLACE:-here}`,
    timeout: 30,
  });
  const values = {
    script_id: script.body.id,
    parameter_values: { API_TOKEN: secrets.parameter, PLACE: 'there' },
  };
  const attached = await from.post(`/api/repositories/${ids[0]}/scripts`, {
    ...values,
    hook_type: 'post-backup',
  });
  expect(attached.status).toBe(201);
  const schedule = await from.post('/api/schedule/', {
    name: 'nightly',
    cron_expression: '0 2 1 1 *',
    tags: ['nights'],
    pause_until: new Date(Date.now() + 86_400_000).toISOString(),
    timezone: 'Europe/Berlin',
    repository_ids: ids,
    run_prune_after: true,
    prune_keep_daily: 3,
    pre_backup_script_id: script.body.id,
    pre_backup_script_parameters: { API_TOKEN: secrets.parameter },
  });
  expect(schedule.status).toBe(201);
  const pause_until = new Date(Date.now() + 3_600_000).toISOString();
  expect((await from.put('/api/schedule/pause', { pause_until })).status).toBe(200);
  const check = { cron_expression: '0 4 1 1 *', max_duration: 60 };
  expect((await from.put(`/api/repositories/${ids[1]}/check-schedule`, check)).status).toBe(200);
  const channel = { name: 'on call', service_url: secrets.url, monitor_all_repositories: false };
  const told = await from.post('/api/notifications', { ...channel, repository_ids: [ids[0]] });
  expect(told.status).toBe(201);
  expect(
    (await from.post('/api/ssh-keys/generate', { name: 'key', key_type: 'ed25519' })).status,
  ).toBeLessThan(300);
  expect((await from.put('/api/settings/cache', { ttl_seconds: 900 })).status).toBe(200);
}, 120_000);
afterAll(async () => {
  await Promise.all([old?.remove(), fresh?.remove()]);
});

interface Planned {
  section: string;
  name: string;
  action: string;
  fields: string[];
  reason_code: string | null;
}
const brief = (objects: Planned[]) =>
  objects.map(({ section, name, action }) => `${action} ${section} ${name}`);
const plain = async (api: Api) => (await api.get('/api/settings/export')).body.document;
const comparable = ({ made_at: _, ...document }: Record<string, unknown>) => document;

test('omits secrets by default and names objects that need one', async () => {
  const { status, text, body } = await from.get('/api/settings/export');
  expect(status).toBe(200);
  for (const secret of [...Object.values(secrets), 'PRIVATE KEY']) expect(text).not.toContain(secret);
  expect(body.document).toMatchObject({ format: 'holdfast-settings', version: 1, system_key: [] });
  const planned = await to.post('/api/settings/import', { document: body.document, dry_run: true });
  const cannot = (planned.body.objects as Planned[]).filter(({ action }) => action === 'cannot');
  expect(cannot.map(({ section, reason_code }) => [section, reason_code])).toEqual([
    ['notifications', 'settings_url_sealed'],
  ]);
  expect((await to.get('/api/repositories/')).body.repositories).toEqual([]);
});

test('imports everything encrypted by the command line; a repetition changes nothing', async () => {
  const file = join(old.workspace.path, 'settings.json');
  const env = (server: TestServer, api: Api) => ({
    HOME: server.dataDirectory,
    PORT: new URL(api.baseUrl).port,
    HOLDFAST_TOKEN: api.token ?? '',
  });
  const input = `${sealPassphrase}\n`;
  const options = { input, env: env(old, from) };
  const written = await holdfast(['export', '--output', file, '--with-secrets'], options);
  expect([written.code, written.err]).toEqual([0, '']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const secret of [...Object.values(secrets), sealPassphrase])
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
  expect((await holdfast(['export', '--output', file], { env: env(old, from) })).err).toContain(
    'already exists',
  );

  const wrong = await holdfast(['import', file], { input: 'not that one at all\n', env: env(fresh, to) });
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('does not decrypt the secrets')]);
  const plan = await holdfast(['import', file, '--plan'], { input, env: env(fresh, to) });
  expect(plan.out).toContain('create    schedules: nightly');
  expect((await to.get('/api/repositories/')).body.repositories).toEqual([]);
  const done = await holdfast(['import', file], { input, env: env(fresh, to) });
  expect([done.code, done.err]).toEqual([0, '']);
  const again = await holdfast(['import', file], { input, env: env(fresh, to) });
  expect(again.out).toBe('Everything already exists: there is nothing to change.\n');
  const document = await plain(to);
  expect(comparable(document)).toEqual(comparable(await plain(from)));
  const masked = { settings: { ...database('mysql').settings, password: '***' } };
  for (const { sources } of [document.source_sets[1], document.repositories[2]])
    expect(sources).toMatchObject([masked]);

  const [schedule] = (await to.get('/api/schedule/')).body.jobs;
  expect(schedule).toMatchObject({
    name: 'nightly',
    tags: ['nights'],
    prune_keep_daily: 3,
    timezone: 'Europe/Berlin',
  });
  expect(schedule.next_run).not.toBeNull();
  expect((await to.get('/api/notifications')).body[0].service_url).toBe(secrets.url);
  expect((await to.get('/api/ssh-keys/system-key')).body.exists).toBe(true);
  const { repositories } = (await to.get('/api/repositories/')).body;
  expect(repositories.map(({ tags }: { tags: string[] }) => tags)).toContainEqual(['web', 'cellar']);
  const job = await backUp(to, join(old.workspace.path, 'documents'));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
}, 120_000);

test('updates single fields and matches objects by name or repository id', async () => {
  const document = await plain(from);
  document.schedules[0].prune_keep_daily = 9;
  document.source_sets[0].exclude_patterns = ['*.tmp'];
  document.repositories[0].path = '/somewhere/else';
  const planned = await to.post('/api/settings/import', { document, dry_run: true });
  const changed = (planned.body.objects as Planned[]).filter(({ action }) => action !== 'unchanged');
  expect(changed.map(({ name, fields }) => [name, fields])).toEqual([
    ['shared', ['exclude_patterns']],
    ['nightly', ['prune_keep_daily']],
  ]);
  expect((await to.post('/api/settings/import', { document })).status).toBe(200);
  expect((await to.get('/api/schedule/')).body.jobs[0].prune_keep_daily).toBe(9);
  const { repositories } = (await to.get('/api/repositories/')).body;
  expect(repositories[0]).toMatchObject({
    exclude_patterns: ['*.tmp'],
    path: join(old.workspace.path, 'documents'),
  });
});

test('refuses other documents in one sentence and never applies part of one', async () => {
  const document = await plain(from);
  const before = comparable(await plain(to));
  const cases: [unknown, string][] = [
    [{ ...document, version: 2 }, 'settings_version_unknown'],
    [{ ...document, format: 'other' }, 'settings_format_unknown'],
    [[document], 'settings_format_unknown'],
    [null, 'settings_format_unknown'],
    [{ ...document, surprises: [] }, 'settings_document_invalid'],
    [
      { ...document, schedules: [{ ...document.schedules[0], prune_keep_daily: -2 }] },
      'settings_document_invalid',
    ],
    [{ ...document, scripts: 'all' }, 'settings_document_invalid'],
  ];
  for (const [odd, code] of cases) {
    const answer = await to.post('/api/settings/import', { document: odd });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  }
  const sealed = await to.post('/api/settings/import', { document, seal_passphrase: sealPassphrase });
  expect(sealed.body.code).toBe('settings_not_sealed');
  // One object that can't be, and all that needs it, are named; the others come.
  const strange = { ...document.schedules[0], name: 'strange', repositories: ['0'.repeat(64)] };
  const mixed = { ...document, schedules: [strange], scripts: [{ name: 'new one', content: 'true' }] };
  const { body } = await to.post('/api/settings/import', { document: mixed });
  expect(brief(body.objects).filter((line) => !line.startsWith('unchanged'))).toEqual([
    'change source_sets shared',
    'create scripts new one',
    'cannot schedules strange',
  ]);
  expect(Object.keys(before)).toEqual(Object.keys(comparable(await plain(to))));
});

/** What the import itself writes. */
const ofImport = /commit .*(script|schedule|repository)/;

test('imports all or nothing after kill -9 at any step, and completes on repetition', async () => {
  const folder = old.workspace.folder('doomed');
  const orderFile = join(folder, 'order');
  const doomed = await TestServer.start({ driver: 'memory', env: markedBy(orderFile, folder) });
  try {
    let api = await doomed.login();
    /** Of round `n`: scripts, and a repository with its schedule. */
    const settings = (n: number) => ({
      format: 'holdfast-settings',
      version: 1,
      scripts: ['one', 'two', 'three'].map((word) => ({ name: `${word} of ${n}`, content: 'true' })),
    });
    const file = (n: number) => {
      const lines = [
        'repositories:',
        `  - path: ${join(old.workspace.path, 'open')}`,
        `keep_daily: ${n + 1}`,
      ];
      const content = [...lines, `source_directories: ['${old.workspace.folder('source')}']`, ''].join('\n');
      return { files: [{ name: 'moved.yaml', content }], take_over: true };
    };
    const seen = async () => ({
      scripts: (await api.get('/api/scripts')).body.length as number,
      keeps: (await api.get('/api/schedule/')).body.jobs[0]?.prune_keep_daily as number | undefined,
    });
    const ways: [string, (n: number) => unknown][] = [
      ['/api/settings/import', (n) => ({ document: settings(n) })],
      ['/api/import/borgmatic', file],
    ];
    let round = 0;
    for (const [path, bodyOf] of ways) {
      const record = join(folder, `record-${++round}`);
      writeFileSync(record, '');
      writeFileSync(orderFile, JSON.stringify({ record }));
      expect((await api.post(path, bodyOf(round))).status).toBe(200);
      writeFileSync(orderFile, '');
      const points = readFileSync(record, 'utf8')
        .split('\n')
        .filter((line) => ofImport.test(line));
      for (const point of points) {
        const before = await seen();
        writeFileSync(orderFile, point);
        await api.post(path, bodyOf(++round)).catch(() => null);
        writeFileSync(orderFile, '');
        await doomed.restart('SIGKILL');
        api = await doomed.login();
        const after = await seen();
        expect([0, 3]).toContain(after.scripts - before.scripts);
        expect([before.keeps, round + 1]).toContain(after.keeps);
        expect((await api.post(path, bodyOf(round))).body.counts).toMatchObject({ cannot: 0 });
        const again = await api.post(path, bodyOf(round));
        expect(again.body.counts).toMatchObject({ create: 0, change: 0 });
      }
    }
  } finally {
    await doomed.remove();
  }
}, 120_000);

test('lets users sign in while a large document is planned and imported', async () => {
  const count = 400;
  const host = (n: number) => `h${n}`;
  const document = {
    format: 'holdfast-settings',
    version: 1,
    connections: Array.from({ length: count }, (_, n) => ({ host: host(n), username: 'u', port: 22 })),
    repositories: Array.from({ length: count }, (_, n) => ({
      repository_id: n.toString(16).padStart(64, '0'),
      encryption: 'none',
      name: `many ${n}`,
      path: `ssh://u@${host(n)}:22/r${n}`,
      connection: `u@${host(n)}:22`,
      mode: 'observe',
    })),
    script_attachments: Array.from({ length: 60 }, (_, n) => ({
      repository_id: n.toString(16).padStart(64, '0'),
      script: 'none',
      hook_type: 'pre-backup',
    })),
  };
  for (const dry_run of [true, false]) {
    let isOver = false;
    const work = to.post('/api/settings/import', { document, dry_run }).finally(() => {
      isOver = true;
    });
    let slowest = 0;
    while (!isOver) {
      const began = performance.now();
      await fresh.login();
      slowest = Math.max(slowest, performance.now() - began);
    }
    expect((await work).body.counts).toEqual({ create: 2 * count, change: 0, unchanged: 0, cannot: 60 });
    // A transaction for each refusal, or one for all, holds up a login far longer.
    expect(slowest).toBeLessThan(10_000);
  }
}, 300_000);

test('writes no secret to the log or the audit trail', async () => {
  const trail = `${(await from.get('/api/audit')).text}${(await to.get('/api/audit')).text}`;
  for (const secret of [...Object.values(secrets), sealPassphrase]) {
    expect(old.log + fresh.log).not.toContain(secret);
    expect(trail).not.toContain(secret);
  }
  expect(trail).toContain('exchangeImportSettings');
  expect(trail).toContain('exchangeExportSealedSettings');
  expect(existsSync(join(old.workspace.path, 'settings.json'))).toBe(true);
  writeFileSync(join(old.workspace.path, 'settings.json'), '');
});
