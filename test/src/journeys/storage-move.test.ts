import { chownSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allEntities } from '@holdfast/core/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PluginFolder } from '../broken-plugins/packages.js';
import { type Ended, holdfast, RunningCommand } from '../command.js';
import { root } from '../import-check.js';
import { isDeep } from '../lane.js';
import { compile } from '../published/run-node.js';
import { SecretWorld, secretsInIt } from '../secret-world.js';
import { PostgresDatabase } from '../services/postgres-database.js';
import { SqliteDatabase } from '../store/sqlite-database.js';

let world: SecretWorld;
let postgres: PostgresDatabase;
beforeAll(async () => {
  world = await SecretWorld.make();
  postgres = new PostgresDatabase();
});
afterAll(async () => {
  await world?.remove();
  postgres?.drop();
});

const sqlite = (name: string) => `sqlite:${join(world.server.dataDirectory, name)}`;
const parametersOf = (from: string, to: string) => ['storage', 'move', '--from', from, '--to', to];
const environment = () => ({ env: { DATA_DIR: world.server.dataDirectory } });
const move = (from: string, to: string, more: string[] = []): Promise<Ended> =>
  holdfast([...parametersOf(from, to), ...more], environment());
/** What is of the storage itself and not moved. */
const own = ['instance', 'storage_move'];
const tables = allEntities.map(({ name }) => name).filter((name) => !own.includes(name));

/** Each table's rows as they stand in the file, and the highest id that it ever gave. */
async function contentsOf(name: string): Promise<Record<string, { rows: unknown[]; last: unknown }>> {
  const database = await SqliteDatabase.open(join(world.server.dataDirectory, name));
  try {
    const contents: Record<string, { rows: unknown[]; last: unknown }> = {};
    for (const table of tables) {
      const rows = await database.all(`SELECT * FROM "${table}" ORDER BY id`);
      const [last] = await database.all<{ seq: number }>(
        'SELECT seq FROM sqlite_sequence WHERE name = ?',
        table,
      );
      contents[table] = { rows, last: last?.seq ?? 0 };
    }
    return contents;
  } finally {
    await database.close();
  }
}

const countsInPostgres = () =>
  Object.fromEntries(tables.map((table) => [table, Number(postgres.sql(`SELECT count(*) FROM "${table}"`))]));

/** Rows enough to be killed among them, texts of every kind, and ids of rows that are gone. */
async function fill(): Promise<void> {
  const database = await SqliteDatabase.open(world.database);
  await database.all(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
     INSERT INTO event (kind, at, repository_id, job_id, data)
     SELECT 'test.made', 1700000000000 + i, NULL, i, json_object('z', i, 'a', 'ü 🔒 ' || char(1) || char(0) || i) FROM n`,
  );
  await database.all('DELETE FROM event WHERE id > (SELECT MAX(id) - 10 FROM event)');
  await database.close();
}

test('moves nothing while a service uses the source', async () => {
  const { code, err } = await move(sqlite('holdfast.db'), postgres.url);
  expect([code, err]).toEqual([1, expect.stringMatching(/Holdfast is using the source: process \d+ .*\n$/)]);
  expect(err).toContain('can see the password in the URL');
  expect(countsInPostgres().user).toBe(0);
});

test('continues after a kill, copies everything and duplicates nothing', async () => {
  await world.killInHook();
  await fill();
  const before = await contentsOf('holdfast.db');
  const all = [
    /Copied \d{4} rows of event/,
    'rows of script_run',
    'rows of housekeeping',
    'Verified 1 rows of user',
  ];
  const moments = isDeep ? all : all.slice(0, 2);
  for (const moment of moments) {
    const command = new RunningCommand(parametersOf(sqlite('holdfast.db'), postgres.url), environment());
    await command.said(moment);
    await command.kill();
    const half = await holdfast([], { env: { ...environment().env, DATABASE_URL: postgres.url, PORT: '0' } });
    expect([half.code, half.err]).toEqual([1, expect.stringContaining('is incomplete')]);
  }
  const { code, out, err } = await holdfast(['storage', 'move', '--from', sqlite('holdfast.db')], {
    env: { ...environment().env, TARGET_DATABASE_URL: postgres.url },
  });
  expect([code, err]).toEqual([0, '']);
  expect(out.trimEnd().split('\n').at(-1)).toBe(
    `DATABASE_URL=${postgres.url.replace(/:\/\/([^:]*):[^@]*@/, '://$1:***@')}`,
  );
  const counts = Object.entries(before).map(([table, { rows }]) => [table, rows.length]);
  expect(countsInPostgres()).toEqual(Object.fromEntries(counts));
  expect(await contentsOf('holdfast.db')).toEqual(before);
  expect((await move(sqlite('holdfast.db'), postgres.url)).out).toContain(
    'An earlier run already moved everything',
  );
});

test('returns the same data and ids after moving back', async () => {
  expect(await move(postgres.url, sqlite('back.db'))).toMatchObject({ code: 0 });
  expect(await contentsOf('back.db')).toEqual(await contentsOf('holdfast.db'));
});

/** The storage of somebody else, compiled, in a folder of its own. */
async function compiledStorage(): Promise<string> {
  const folder = join(new PluginFolder(world.server.workspace.folder('packages')).path, 'storage-json');
  const thirdParty = join(root, 'test', 'src', 'third-party');
  cpSync(join(thirdParty, 'storage-json'), folder, { recursive: true });
  cpSync(join(thirdParty, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  expect(await compile(folder)).toEqual({ code: 0, output: '' });
  return folder;
}

test('moves everything into an added storage and back', async () => {
  const back = await SqliteDatabase.open(join(world.server.dataDirectory, 'back.db'));
  await back.all('VACUUM INTO ?', join(world.server.dataDirectory, 'fewer.db'));
  await back.close();
  const fewer = await SqliteDatabase.open(join(world.server.dataDirectory, 'fewer.db'));
  // That storage writes all that it has each time.
  await fewer.all("DELETE FROM event WHERE kind = 'test.made' AND id % 100 > 0");
  await fewer.close();
  const added = { env: { ...environment().env, PLUGINS: await compiledStorage() } };
  const into = await holdfast(parametersOf(sqlite('fewer.db'), 'json'), added);
  expect(into).toMatchObject({ code: 0, err: '' });
  expect(into.out.trimEnd().split('\n').at(-1)).toBe(
    'PLUGINS with "json" as its only storage, and no DATABASE_URL',
  );
  const file = join(world.server.dataDirectory, 'plugin-data', 'storage-json', 'store.json');
  const users = JSON.parse(readFileSync(file, 'utf8')).tables.user.rows.length;
  expect(users).toBe((await contentsOf('fewer.db')).user?.rows.length);
  expect(await holdfast(parametersOf('json', sqlite('from-json.db')), added)).toMatchObject({
    code: 0,
    err: '',
  });
  expect(await contentsOf('from-json.db')).toEqual(await contentsOf('fewer.db'));
  const own = await holdfast(['storage', 'move', '--to', sqlite('own.db'), '--json'], added);
  expect(JSON.parse(own.out)).toMatchObject({ already: false, plugin: null });
  expect(await contentsOf('own.db')).toEqual(await contentsOf('fewer.db'));
  const foreign = world.server.workspace.folder('foreign');
  chownSync(foreign, 65_534, 65_534);
  const lost = await holdfast(parametersOf(sqlite('back.db'), 'json'), {
    env: { ...added.env, DATA_DIR: foreign },
  });
  expect([lost.code, lost.err]).toEqual([
    1,
    expect.stringMatching(/^The storage .*json may keep.* as the service user\.\n$/),
  ]);
});

test('refuses a target with data and an invalid source', async () => {
  const refused = async (from: string, to: string) => {
    const { code, err } = await move(from, to);
    expect([code, err.trimEnd().split('\n')]).toEqual([1, [expect.any(String)]]);
    return err;
  };
  expect(await refused(sqlite('back.db'), sqlite('holdfast.db'))).toMatch(
    /^The target already contains data/,
  );
  expect(await refused(sqlite('missing.db'), sqlite('new.db'))).toMatch(
    /^There is no database .*missing\.db/,
  );
  expect(await refused(sqlite('back.db'), 'mysql://x/y')).toMatch(/^--to must name/);
  expect(await refused(sqlite('back.db'), 'maria')).toMatch(/^--to names the storage plugin "maria", which/);
});

test('copies new rows if the source was used again', async () => {
  const command = new RunningCommand(parametersOf(sqlite('back.db'), sqlite('again.db')), environment());
  await command.said('rows of slot');
  await command.kill();
  const database = await SqliteDatabase.open(join(world.server.dataDirectory, 'back.db'));
  await database.all("UPDATE user SET email = 'new@localhost' WHERE username = 'admin'");
  await database.all('DELETE FROM event WHERE id IN (SELECT id FROM event ORDER BY id LIMIT 5)');
  await database.close();
  expect(await move(sqlite('back.db'), sqlite('again.db'), ['--json'])).toMatchObject({ code: 0, err: '' });
  expect(await contentsOf('again.db')).toEqual(await contentsOf('back.db'));
});

test('continues in the new storage with its secrets and ids', async () => {
  const last = Number(
    postgres.sql(`SELECT pg_sequence_last_value(pg_get_serial_sequence('event', 'id')::regclass)`),
  );
  expect(last).toBe((await contentsOf('holdfast.db')).event?.last);
  world.server.options.env = { DATABASE_URL: postgres.url };
  await world.server.launch();
  const api = await world.server.login();
  await world.useSecrets(api);
  const ids = postgres.sql(`SELECT id FROM event WHERE kind <> 'test.made' ORDER BY id DESC LIMIT 1`);
  expect(Number(ids)).toBeGreaterThan(last);
  for (const secret of secretsInIt) expect(world.server.log).not.toContain(secret);
  const diagnosis = await holdfast(['doctor'], {
    env: { ...environment().env, HOME: world.server.dataDirectory, DATABASE_URL: postgres.url, PORT: '0' },
  });
  expect(diagnosis.out).toMatch(/ok {7}storage: The database .* has schema version \d+\./);
  await world.server.stop();
});
