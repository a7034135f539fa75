import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { backUp, createRepository, signIn, startService } from './service.mjs';

/** Direct access to the database file of services. */
export class Database {
  #connection;
  #all;

  constructor(dataDirectory) {
    this.#connection = new sqlite3.Database(`${dataDirectory}/holdfast.db`);
    this.#connection.configure('busyTimeout', 10_000);
    this.#all = promisify(this.#connection.all.bind(this.#connection));
  }

  all(sql, ...values) {
    return this.#all(sql, values);
  }

  /** Copies row 1 of a table to rows 2 to `count`, with the given columns computed from the number `n` of the copy. */
  async multiply(table, count, changed) {
    const columns = (await this.all(`PRAGMA table_info("${table}")`)).map(({ name }) => name);
    const values = columns.map((name) => (name === 'id' ? 'n' : (changed[name] ?? `"${name}"`)));
    const numbers = `WITH RECURSIVE copy(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM copy WHERE n < ${count})`;
    const names = columns.map((name) => `"${name}"`).join(', ');
    await this.all(
      `INSERT INTO "${table}" (${names}) ${numbers} SELECT ${values.join(', ')} FROM copy, "${table}" WHERE "${table}".id = 1`,
    );
  }

  async close() {
    await promisify(this.#connection.close.bind(this.#connection))();
  }
}

/** Values of `multiply` for instants: spread over the last year. */
export const yearOf = (columns) =>
  Object.fromEntries(columns.map((name) => [name, `"${name}" - (n * 7919 % 365) * 86400000`]));

/**
 * The database of a stopped service that made one real repository, schedule and backup, each of which is row 1 of its
 * table.
 */
export async function databaseWithOneOfEach(dataDirectory) {
  const service = await startService(dataDirectory);
  const api = await signIn(service.url);
  const [path, source] = ['repository', 'source'].map((name) => join(dataDirectory, name));
  mkdirSync(source);
  writeFileSync(join(source, 'file'), 'content');
  await createRepository(api, { name: 'r1', path, source });
  await api.post('/api/schedule/', { name: 's1', repository_id: 1, cron_expression: '0 0 1 1 *' });
  await backUp(api, path);
  await service.stop();
  return new Database(dataDirectory);
}
