import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import plugin from '../src/index.js';
import { serverOf } from '../src/postgres-server.js';
import { dropDatabases, type Line, makeLog, newDatabase, openDatabase, run, urlOf } from './databases.js';
import { users } from './entities.js';

const login = { user: 'hf_limited', password: 'p@ss w/rd?' };

const failure = async (url: string, lines: Line[] = []) => {
  const error = await openDatabase(url, makeLog(lines)).then(
    ({ close }) => close().then(() => new Error('it started')),
    (reason: Error) => reason,
  );
  expect(error.message).toMatch(/^[A-Z][^\n]*\.$/);
  expect(error.message).not.toContain(login.password);
  return error.message;
};

beforeAll(async () => {
  await run(`DROP ROLE IF EXISTS ${login.user}`);
  await run(`CREATE ROLE ${login.user} LOGIN PASSWORD '${login.password}'`);
});
afterAll(async () => {
  await dropDatabases();
  await run(`DROP ROLE ${login.user}`);
});

describe('a start that cannot succeed suggests a fix', () => {
  it('names a wrong password and a missing database', async () => {
    const database = await newDatabase();
    expect(await failure(urlOf(database, { ...login, password: 'wrong' }))).toContain(
      `does not let the user ${login.user} in`,
    );
    expect(await failure(urlOf('hf_nowhere', login))).toContain('create it (CREATE DATABASE hf_nowhere');
  });

  it('names missing rights to create or use tables', async () => {
    const database = await newDatabase();
    const url = urlOf(database, login);
    expect(await failure(url)).toContain(`The user ${login.user} lacks rights in the database ${database}`);
    await (await openDatabase(urlOf(database))).close();
    expect(await failure(url)).toContain(`The user ${login.user} `);
    await run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${login.user}`, database);
    expect(await failure(url)).toMatch(/may not read and change the table "\w+"/);
    await run(`GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${login.user}`, database);
    const { storage, close } = await openDatabase(url);
    await storage.insert(users, { username: 'anna', password_hash: 'x', created_at: 1 });
    await close();
    await run(`ALTER ROLE ${login.user} SET default_transaction_read_only = on`);
    expect(await failure(url)).toContain('is read-only for the user');
    await run(`ALTER ROLE ${login.user} RESET default_transaction_read_only`);
  });

  it('names a database with another encoding', async () => {
    const name = 'hf_latin1';
    await run(`DROP DATABASE IF EXISTS ${name}`);
    await run(`CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
    expect(await failure(urlOf(name))).toContain("create one with ENCODING 'UTF8'");
    await run(`DROP DATABASE ${name}`);
  });

  it('ends after a few seconds without a server, with an immediate log line', async () => {
    const lines: Line[] = [];
    const begun = performance.now();
    const message = await failure('postgres://anna:secret@127.0.0.1:1/db', lines);
    expect(message).toContain('db at 127.0.0.1:1 does not respond (ECONNREFUSED)');
    expect(performance.now() - begun).toBeLessThan(9_000);
    expect(lines).toEqual([{ level: 'warn', message: 'the database does not respond yet; trying again' }]);
  });
});

describe('a connection string', () => {
  it('names host, port, user, password and database, also a socket', () => {
    expect(serverOf('postgresql://anna:p%40ss@db.example:6432/backups')).toMatchObject({
      host: 'db.example',
      port: 6432,
      user: 'anna',
      password: 'p@ss',
      database: 'backups',
      tls: false,
      target: 'backups at db.example:6432',
    });
    expect(serverOf('postgres://anna@[::1]/b').target).toBe('b at [::1]:5432');
    for (const url of ['postgres://anna@/b?host=/run/postgresql', 'postgres://anna@%2Frun%2Fpostgresql/b']) {
      expect(serverOf(url)).toMatchObject({ host: '/run/postgresql', target: 'b at /run/postgresql' });
    }
  });

  it('verifies the server as sslmode requires', () => {
    const tls = (query: string) => serverOf(`postgres://anna@db.example/b?${query}`).tls;
    expect(tls('sslmode=disable')).toBe(false);
    expect(tls('sslmode=require')).toMatchObject({ rejectUnauthorized: false });
    expect(tls('sslmode=verify-full')).toEqual({});
  });

  it.each([
    ['mysql://anna@db.example/b', /must be a connection string/],
    ['postgres://anna:secret@db.example:99999/b', /must be a connection string/],
    ['postgres://anna:secret@db.example/b?sslmode=prefer', /must have one of disable, require/],
    ['postgres://anna:secret@db.example/b?sslmode=verify-ca', /sslrootcert/],
    [
      'postgres://anna:secret@db.example/b?sslmode=verify-full&sslrootcert=/no/ca',
      /\/no\/ca, which can't be read/,
    ],
  ])('%s is refused without its password', (url, sentence) => {
    const { success, error } = plugin.configuration.safeParse({ url });
    expect(success).toBe(false);
    expect(error?.issues[0]?.message).toMatch(sentence);
    expect(JSON.stringify(error)).not.toContain('secret');
  });
});
