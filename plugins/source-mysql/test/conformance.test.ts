import { execFileSync } from 'node:child_process';
import { sourceSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import plugin from '../src/index.js';

const name = `it's "a" \`shop\` $(id)`;
const quoted = (database: string) => `\`${database.replaceAll('`', '``')}\``;
const settings: Record<string, string> = { databases: name };

const sql = (text: string) =>
  execFileSync(
    'mariadb',
    ['--no-defaults', `--host=${settings.host}`, `--port=${settings.port}`, `--user=${settings.user}`, '-BN'],
    { env: { ...process.env, MYSQL_PWD: settings.password }, input: text, encoding: 'utf8' },
  ).trim();

describe('the source suite', () => {
  beforeAll(() => {
    const { hostname, port, username, password } = new URL(process.env.TEST_MARIADB_URL ?? '');
    Object.assign(settings, { host: hostname, port, user: username, password });
    secrets[0] = password;
    sql(
      `CREATE DATABASE ${quoted(name)}; USE ${quoted(name)}; CREATE TABLE customers (name text); INSERT INTO customers VALUES
       ('Ann'), ('Bob'); CREATE TABLE ${quoted('the `orders`')} SELECT seq, md5(seq) FROM seq_1_to_5000;
       CREATE PROCEDURE nothing() SELECT 1;`,
    );
  });
  afterAll(() => sql(`DROP DATABASE IF EXISTS ${quoted(name)}`));

  // Filled before the cases run.
  const secrets: string[] = ['of the server'];
  const failing: Record<string, Record<string, string>> = {
    get 'a wrong password'() {
      return { ...settings, password: 'not the password' };
    },
    get 'a database that is not there'() {
      return { ...settings, databases: 'nowhere' };
    },
    get 'a server that is not there'() {
      return { ...settings, port: '1' };
    },
  };
  const cases = sourceSuite({
    open: async () => ({ source: await plugin.create({} as never), close: async () => {} }),
    settings,
    failing,
    secrets,
    assertRestored: async (into) => {
      expect(sql(`SELECT count(*) FROM ${quoted(into)}.${quoted('the `orders`')}`)).toBe('5000');
      expect(sql(`SELECT count(*) FROM information_schema.routines WHERE routine_schema = '${into}'`)).toBe(
        '1',
      );
    },
    removeRestored: async (into) => {
      sql(`DROP DATABASE IF EXISTS ${quoted(into)}`);
    },
  });
  for (const { name: title, run } of cases) test(title, run);
});
