import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { type CommandOptions, type Ended, holdfast } from '../command.js';
import { backUpItself, switchOn } from '../self-backup.js';
import { TestServer } from '../server.js';
import { SqliteDatabase } from '../store/sqlite-database.js';

let server: TestServer;
let api: Api;
beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
});
afterAll(() => server?.remove());

/** With the environment of the service. */
const run = (parameters: string[], { env, ...options }: CommandOptions = {}): Promise<Ended> =>
  holdfast(parameters, {
    env: { DATA_DIR: server.dataDirectory, HOME: server.dataDirectory, PORT: '0', ...env },
    ...options,
  });

interface Diagnosis {
  checks: { area: string; status: string; text: string; advice?: string }[];
}
const diagnose = async (env: Record<string, string> = {}) => {
  const { code, out } = await run(['doctor', '--json'], { env });
  const diagnosis = JSON.parse(out) as Diagnosis;
  const failed = diagnosis.checks.filter(({ status }) => status === 'failed');
  return { ...diagnosis, code, failed, areas: new Set(diagnosis.checks.map(({ area }) => area)) };
};

test('checks everything next to the running service', async () => {
  const port = new URL(api.baseUrl).port;
  const { code, failed, checks, areas } = await diagnose({ PORT: port });
  expect([code, failed]).toEqual([0, []]);
  const wanted = ['configuration', 'Node.js', 'service', 'ssh', 'data folder', 'disk space', 'secret key'];
  expect(checks[0]?.text).toContain(`The data folder is ${server.dataDirectory} (from DATA_DIR).`);
  for (const area of [
    ...wanted,
    'running Holdfast',
    'SSH folder',
    'plugins',
    'storage',
    'Borg',
    'notifications',
    'clock',
  ])
    expect(areas).toContain(area);
  const texts = checks.map(({ text }) => text).join('\n');
  expect(texts).toContain(`Holdfast is running at http://127.0.0.1:${port}`);
  expect(texts).toMatch(/This database is used by process \d+ on /);
  expect(texts).toMatch(/borg 1\.\d+\.\d+ was found and is supported/);
  expect(texts).toMatch(/holdfast\.db has schema version \d+/);
  expect((await run(['doctor'])).out).toMatch(/\n\d+ ok, \d+ warnings, 0 failed\n$/);
});

test('finds the running service, and looks at the folder of that', async () => {
  const port = new URL(api.baseUrl).port;
  const cwd = server.workspace.folder('anywhere');
  const look = async (env: Record<string, string | undefined>, where = cwd) => {
    const { out } = await holdfast(['doctor', '--json'], { env: { HOME: cwd, ...env }, cwd: where });
    return (JSON.parse(out) as Diagnosis).checks;
  };
  const found = `The data folder is ${server.dataDirectory} (that of the running Holdfast, process ${server.pid}, found by`;
  const [first, ...others] = await look({ PORT: port });
  expect(first?.text).toContain(`${found} its port ${port})`);
  expect(others.find(({ area }) => area === 'running Holdfast')?.text).toContain(`process ${server.pid} on`);
  // The data folder of this service is `data` below its working directory.
  const [byFile] = await look({}, server.workspace.path);
  expect(byFile?.text).toContain(`${found} the file service.json in ./data)`);
  const [nothing] = await look({ PORT: '1' });
  expect(nothing?.text).toContain(
    `${join(cwd, 'data')} (the default, because DATA_DIR is not set and Holdfast`,
  );
});

test('checks sources as the service user and asks for the self-backup', async () => {
  const modest = await TestServer.start({ unprivileged: true });
  const { workspace, dataDirectory } = modest;
  const closed = workspace.folder('closed');
  writeFileSync(join(closed, 'file'), 'content');
  const as = await modest.login();
  const look = async (wanted: string) => {
    const { checks } = await diagnose({ DATA_DIR: dataDirectory, HOME: dataDirectory });
    return checks.filter(({ area }) => area === wanted).map(({ status, text }) => [status, text]);
  };
  expect(await look('backup of Holdfast itself')).toEqual([['warning', 'Holdfast does not back up itself.']]);
  const { path } = await switchOn(as, { path: join(dataDirectory, 'own') });
  await backUpItself(as);
  expect(await look('backup of Holdfast itself')).toEqual([
    ['ok', `The newest backup of Holdfast itself in ${path} is 0 hours old.`],
  ]);
  // Switching it on starts the first one, so only the database can say that there was none.
  const database = await modest.database();
  await database.all('UPDATE repository SET last_backup = NULL WHERE self_backup');
  await database.close();
  expect(await look('backup of Holdfast itself')).toEqual([
    ['warning', `The backup of Holdfast itself to ${path} has not run yet.`],
  ]);

  const repository = join(dataDirectory, 'repository');
  await createRepository(as, { name: 'closed', path: repository, source_directories: [closed] });
  chmodSync(closed, 0o700);
  const sources = await look('sources');
  await modest.remove();
  expect(sources).toEqual([
    ['warning', expect.stringContaining(`can't read ${closed} of repository closed`)],
  ]);
});

test('says when the running service uses another folder', async () => {
  const elsewhere = server.workspace.folder('elsewhere');
  const { checks } = await diagnose({ DATA_DIR: elsewhere, PORT: new URL(api.baseUrl).port });
  expect(checks.find(({ area }) => area === 'running Holdfast')).toMatchObject({
    status: 'warning',
    text: expect.stringContaining('uses another data folder or database than this command'),
  });
});

test('makes nothing where nothing is', async () => {
  const empty = join(server.workspace.path, 'not-there-yet');
  const { code, failed } = await diagnose({ DATA_DIR: empty, HOME: empty });
  expect([code, failed, existsSync(empty)]).toEqual([0, [], false]);
  const { code: refused, err } = await run(['user', 'reset-password', 'admin'], { env: { DATA_DIR: empty } });
  expect([refused, existsSync(empty)]).toEqual([1, false]);
  expect(err).toMatch(
    /^There is no database .* Set DATA_DIR and DATABASE_URL to the values that Holdfast runs with\.\n$/,
  );
});

test('names each problem with a solution', async () => {
  const bad = await diagnose({ PORT: 'http', METRICS_TOKEN: 'short' });
  expect([bad.code, bad.failed.map(({ text }) => text.split(' ')[0])]).toEqual([
    1,
    ['PORT', 'METRICS_TOKEN'],
  ]);

  const programs = join(server.workspace.path, 'programs');
  mkdirSync(programs);
  symlinkSync(process.execPath, join(programs, 'node'));
  const data = server.workspace.folder('open-data');
  const key = join(data, 'secret_key');
  writeFileSync(key, 'x'.repeat(43));
  chmodSync(key, 0o644);
  chmodSync(data, 0o755);
  const ssh = server.workspace.folder('open-data', '.ssh');
  chmodSync(ssh, 0o777);
  const newer = join(data, 'newer.db');
  await makeSchema(newer, 99);
  const away = {
    MONGODB_URI: 'mongodb://user:pw-4711@127.0.0.1:1/x',
    KVCACHE_URL: 'redis://:pw-4712@127.0.0.1:1/0',
    APPRISE_API_URL: 'http://user:pw-4713@127.0.0.1:1',
    DATABASE_URL: `sqlite:${newer}`,
  };
  const found = await diagnose({ ...away, PATH: programs, DATA_DIR: data, HOME: data });
  const of = (status: string) => found.checks.filter((line) => line.status === status);
  expect([
    found.code,
    of('failed')
      .map(({ area }) => area)
      .sort(),
  ]).toEqual([1, ['Borg', 'MongoDB', 'SSH folder', 'notifications', 'secret key', 'storage']]);
  expect(of('warning').map(({ area }) => area)).toEqual(
    expect.arrayContaining(['ssh', 'data folder', 'cache store']),
  );
  expect(of('failed').find(({ area }) => area === 'storage')?.text).toContain('schema version 99');
  expect(JSON.stringify(found.checks)).not.toMatch(/pw-47/);
});

async function makeSchema(file: string, version: number): Promise<void> {
  writeFileSync(file, '');
  const database = await SqliteDatabase.open(file);
  await database.all('CREATE TABLE schema_version (id INTEGER PRIMARY KEY, version, name, applied_at)');
  await database.all('INSERT INTO schema_version VALUES (1, ?, ?, 0)', version, 'later');
  await database.close();
}
