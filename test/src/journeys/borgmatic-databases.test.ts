/** TEST_BORGMATIC: databases come from the real borgmatic and go back to it. Both make dumps that can be restored. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, isTerminal } from '../actions.js';
import type { Api } from '../api.js';
import { borg, borgmatic } from '../borgmatic.js';
import { holdfast } from '../command.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const secret = 'sesame of borgmatic';
const name = `holdfast_borgmatic_${process.pid}`;
const postgres = new URL(process.env.TEST_POSTGRES_URL ?? '');
const maria = new URL(process.env.TEST_MARIADB_URL ?? '');
const path = process.env.PATH;
let server: TestServer;
let api: Api;
let home: string;
let repository: string;
let file: string;

const asked = (program: string, words: string[], env: Record<string, string>, input: string) =>
  execFileSync(program, words, { env: { ...process.env, ...env }, input, encoding: 'utf8' }).trim();
const inPostgres = (database: string, text: string) => {
  const env = {
    PGHOST: postgres.hostname,
    PGPORT: postgres.port,
    PGUSER: postgres.username,
    PGPASSWORD: decodeURIComponent(postgres.password),
    PGDATABASE: database,
  };
  return asked('psql', ['-XAtq', '-v', 'ON_ERROR_STOP=1'], env, text);
};
const inMaria = (text: string) => {
  const words = ['--no-defaults', `--host=${maria.hostname}`, `--port=${maria.port}`];
  return asked('mariadb', [...words, `--user=${maria.username}`, '-BN'], { MYSQL_PWD: maria.password }, text);
};
const inSqlite = (text: string) => asked('sqlite3', [file, text], {}, '');

const rows = `INSERT INTO customers VALUES ('Ann'), ('Bob')`;
const ask = 'SELECT name FROM customers ORDER BY name';
const content = () => [
  inPostgres(name, ask),
  inMaria(`SELECT name FROM ${name}.customers ORDER BY name`),
  inSqlite(ask),
];
const whole = Array(3).fill('Ann\nBob');
function lose(): void {
  inPostgres(name, 'DELETE FROM customers');
  inMaria(`DELETE FROM ${name}.customers`);
  inSqlite('DELETE FROM customers');
  expect(content()).toEqual(['', '', '']);
}

const run = (words: string[]) =>
  holdfast(words, {
    input: '',
    cwd: home,
    env: { HOME: home, HOST: '127.0.0.1', PORT: new URL(api.baseUrl).port, HOLDFAST_TOKEN: api.token ?? '' },
  });
const newest = async () =>
  (await borg(home, secret, 'list', '--last', '1', '--format', '{archive}', repository)).trim();

beforeAll(async () => {
  process.env.PATH = `${process.env.TEST_POSTGRES_PROGRAMS}:${path}`;
  server = await TestServer.start();
  api = await server.login();
  home = server.workspace.folder('home');
  repository = join(server.workspace.path, 'old.borg');
  file = join(home, 'notes.db');
  makeFiles(server.workspace.folder('home', 'documents'), 3);
  inPostgres('postgres', `CREATE DATABASE ${name} TEMPLATE template0`);
  inMaria(`CREATE DATABASE ${name}`);
  inPostgres(name, `CREATE TABLE customers (name text); ${rows}`);
  inMaria(`USE ${name}; CREATE TABLE customers (name text); ${rows}`);
  inSqlite(`CREATE TABLE customers (name); ${rows}`);
}, 120_000);
afterAll(async () => {
  process.env.PATH = path;
  inPostgres('postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  inMaria(`DROP DATABASE IF EXISTS ${name}`);
  await server?.remove();
});

/** The evidence of a drill about the databases. */
async function drilled(): Promise<string[]> {
  const { body } = await api.post('/api/repositories/1/drill', {});
  const ended = async () => isTerminal((await api.get(`/api/jobs/${body.job_id}`)).body.job);
  await waitFor(ended, { what: 'the end of the drill' });
  const { drills } = (await api.get('/api/drills', { limit: 1 })).body;
  const { results } = (await api.get(`/api/drills/${drills[0].id}`, { limit: 50 })).body;
  const dumps = results.filter(
    ({ path }: { path: string }) => path.includes(name) || path.includes('notes.db'),
  );
  return dumps.map(({ reason }: { reason: string }) => reason);
}

const serverOf = ({ hostname, port, username, password }: URL) =>
  `hostname: ${hostname}, port: ${port}, username: ${username}, password: '${decodeURIComponent(password)}'`;

test('restores the same databases as borgmatic, tries them, and gives them back', async () => {
  const config = join(home, 'config.yaml');
  writeFileSync(
    config,
    `source_directories: [${join(home, 'documents')}]
repositories: [{path: ${repository}, label: main}]
encryption_passphrase: ${secret}
postgresql_databases: [{name: ${name}, ${serverOf(postgres)}}]
mariadb_databases: [{name: ${name}, ${serverOf(maria)}}]
sqlite_databases: [{name: notes, path: ${file}}]
`,
    { mode: 0o600 },
  );
  await borgmatic(home, 'repo-create', '--config', config, '--encryption', 'repokey');
  await borgmatic(home, 'create', '--config', config);
  const ofBorgmatic = await newest();

  const taken = await run(['import', 'borgmatic', config, '--take-over']);
  expect([taken.code, taken.err]).toEqual([0, '']);
  const again = await run(['import', 'borgmatic', config, '--take-over']);
  expect(again.out).toContain('nothing to change');
  const job = await backUp(api, repository);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const kinds = ['postgresql', 'mysql', 'sqlite'];
  const archive = (await archivesOf(api, repository)).at(-1);
  expect(archive?.sources?.map(({ kind }) => kind)).toEqual(kinds);

  expect(await drilled()).toEqual(Array(3).fill('Restored in a server of its own: 1 tables, 2 rows.'));

  lose();
  await borgmatic(home, 'restore', '--config', config, '--archive', ofBorgmatic);
  expect(content()).toEqual(whole);
  lose();
  const dumps = {
    [`postgresql/${postgres.hostname}/${name}.dump`]: name,
    [`mysql/${maria.hostname}/${name}.sql`]: name,
    [`sqlite/sqlite/${encodeURIComponent(file)}`]: file,
  };
  for (const [dump, into] of Object.entries(dumps)) {
    const order = {
      repository,
      archive: archive?.name,
      path: `holdfast-sources/${dump}`,
      into,
      replace: into,
    };
    const { status, error_message } = await endedRestore(api, await api.post('/api/restore/dump', order));
    expect([dump, status, error_message]).toEqual([dump, 'completed', null]);
  }
  expect(content()).toEqual(whole);

  const exported = await api.post('/api/export/borgmatic', { secrets: true });
  const leaving = join(home, 'leaving.yaml');
  writeFileSync(leaving, exported.body.files[0].content, { mode: 0o600 });
  await borgmatic(home, 'config', 'validate', '--config', leaving);
  await borgmatic(home, 'create', '--config', leaving);
  lose();
  await borgmatic(home, 'restore', '--config', leaving, '--archive', 'latest');
  expect(content()).toEqual(whole);
}, 300_000);
