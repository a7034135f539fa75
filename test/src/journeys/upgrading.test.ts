import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaVersions } from '@holdfast/core/server';
import sqlite3 from 'sqlite3';
import { afterAll, expect, test } from 'vitest';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { root } from '../import-check.js';
import { entry } from '../product.js';
import { TestServer } from '../server.js';
import { PostgresDatabase } from '../services/postgres-database.js';
import { SqliteDatabase } from '../store/sqlite-database.js';
import { makeFiles } from '../trees.js';
import { makeWorkspace } from '../workspace.js';

/** The commands of docs/admin/upgrade.md, for the schema of every release. */
const page = readFileSync(join(root, 'docs', 'admin', 'upgrade.md'), 'utf8');
const [copy, verify, backSqlite, backPostgres] = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(
  ([, text = '']) => text,
) as [string, string, string, string];
const fixtures = join(root, 'test', 'fixtures', 'schema');
const fixture = (name: string) => readFileSync(join(fixtures, name), 'utf8');
const releases = readdirSync(fixtures).flatMap((name) => /^(.+)\.rows\.json$/.exec(name)?.[1] ?? []);
const newest = Math.max(...schemaVersions.map(({ version }) => version));

const workspace = makeWorkspace();
const ends: (() => unknown)[] = [() => workspace.remove()];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

function shell(commands: string, env: Record<string, string>): string {
  const holdfast = `holdfast() { "${process.execPath}" "${entry}" "$@"; }`;
  const PATH = `${process.env.TEST_POSTGRES_PROGRAMS}:${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-euo', 'pipefail', '-c', `${holdfast}\n${commands}`],
    {
      encoding: 'utf8',
      env: { PATH, ...env },
    },
  );
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

const schemaOf = async (file: string) => {
  const database = await SqliteDatabase.open(file);
  const [row] = await database.all<{ version: number }>('SELECT MAX(version) AS version FROM schema_version');
  await database.close();
  return row?.version;
};

/** The rows of a database in the tables that a release made. */
async function asOf(release: string, file: string): Promise<void> {
  const rows = `${file}.rows`;
  renameSync(file, rows);
  const lines = fixture(`${release}.sqlite.sql`).split('\n');
  const tables = lines.filter((line) => /^CREATE |^INSERT INTO "schema_version" /.test(line)).join('\n');
  const made = new sqlite3.Database(file);
  await new Promise<void>((resolve, reject) =>
    made.exec(tables, (error) => (error ? reject(error) : resolve())),
  );
  await new Promise((resolve) => made.close(resolve));
  const database = await SqliteDatabase.open(file);
  await database.all('ATTACH ? AS today', rows);
  const names = lines.flatMap((line) => /^CREATE TABLE `(\w+)`/.exec(line)?.[1] ?? []);
  for (const name of names.filter((each) => each !== 'schema_version')) {
    const columns = (await database.all<{ name: string }>(`PRAGMA table_info("${name}")`)).map(
      (column) => `"${column.name}"`,
    );
    await database.all(`INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM today."${name}"`);
  }
  await database.close();
}

const archivesOf = async (api: Api, repository: string) =>
  (await api.get('/api/archives/list', { repository })).body.archives;

/** Never released; its database is still upgraded. */
const milestone = '0.1.0';

test('has a row on the page for each release and for the newest schema', () => {
  expect(releases.length).toBeGreaterThan(0);
  for (const release of releases.filter((name) => name !== milestone))
    expect(page).toMatch(new RegExp(`^\\| ${release} `, 'm'));
  expect(page).toMatch(new RegExp(`^\\| \\S+ +\\| ${newest} `, 'm'));
});

test.each(releases)('SQLite, from %s and back', async (release) => {
  // Whatever stores the other tests use.
  const env = { DATABASE_URL: undefined };
  const server = await TestServer.start({ dataDirectory: workspace.folder(release), workspace, env });
  ends.push(() => server.stop());
  let api = await server.login();
  const source = workspace.folder('source');
  makeFiles(source, 5);
  const path = join(workspace.path, `repository-${release}`);
  await createRepository(api, { name: release, path, source_directories: [source] });
  expect((await backUp(api, path)).status).toBe('completed');
  await server.stop();
  const file = join(server.dataDirectory, 'holdfast.db');
  await asOf(release, file);
  const before = await schemaOf(file);
  expect(before).toBeLessThanOrEqual(newest);

  const given = { DATA_DIR: server.dataDirectory, COPY: join(workspace.path, `copy-${release}`) };
  shell(copy, given);
  expect(await schemaOf(file)).toBe(before);
  await server.launch();
  // The service has the port that doctor would look at.
  shell(verify, { ...given, API: server.api.baseUrl, PORT: '0' });
  expect(await schemaOf(file)).toBe(newest);
  api = await server.login();
  // The passphrase in the database still opens the repository, and its archive is known.
  expect((await backUp(api, path)).status).toBe('completed');
  expect(await archivesOf(api, path)).toHaveLength(2);

  await server.stop();
  shell(backSqlite, given);
  expect(await schemaOf(file)).toBe(before);
  // A list is read anew after a minute.
  const database = await SqliteDatabase.open(file);
  await database.all('UPDATE repository SET inventory_at = 0');
  await database.close();
  await server.launch();
  api = await server.login();
  expect(await archivesOf(api, path)).toHaveLength(2);
  await server.stop();
});

test.each(releases)('PostgreSQL, from %s and back', async (release) => {
  const database = new PostgresDatabase();
  ends.push(() => database.drop());
  database.sql(fixture(`${release}.postgres.sql`));
  const everything = () => {
    const program = join(process.env.TEST_POSTGRES_PROGRAMS ?? '', 'pg_dump');
    const dump = execFileSync(
      program,
      ['--inserts', '--no-owner', '--no-privileges', '--table=public.*', database.url],
      {
        encoding: 'utf8',
      },
    );
    return dump.split('\n').filter((line) => !/^(--|\\(un)?restrict |$)/.test(line));
  };
  const before = everything();
  const DATA_DIR = workspace.folder(`data-${release}`);
  writeFileSync(join(DATA_DIR, 'secret_key'), `${'k'.repeat(43)}\n`);
  const env = { DATA_DIR, DATABASE_URL: database.url, COPY: join(workspace.path, `dump-${release}`) };
  shell(copy, env);
  database.sql('CREATE TABLE of_a_newer_schema (id bigint); DELETE FROM repository');
  shell(backPostgres, env);
  expect(everything()).toEqual(before);
});
