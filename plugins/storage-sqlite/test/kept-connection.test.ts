import { QueryTypes } from '@holdfast/storage-sequelize';
import sqlite3 from 'sqlite3';
import { expect, it } from 'vitest';
import { KeptConnection } from '../src/kept-connection.js';
import { settings } from './entities.js';
import { openFile } from './open-file.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();

/** A connection to a new file, and what runs plain SQL on it. */
async function connect(name: string) {
  const mode = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE;
  const connection = await new Promise<KeptConnection>((resolve) => {
    const opened = new KeptConnection(inFolder(name), 0, mode, () => resolve(opened));
  });
  const plain = (sql: string) =>
    new Promise((resolve, reject) => {
      connection.all(sql, (error: Error | null, rows: unknown) => (error ? reject(error) : resolve(rows)));
    });
  return { connection, plain, close: () => new Promise((resolve) => connection.close(resolve)) };
}

it('sees earlier commits of any process in repeated reads', async () => {
  const file = inFolder('seen.sqlite');
  const [here, there] = [await openFile(file), await openFile(file)];
  await here.storage.insert(settings, { key: 'n', value: 0 });
  const read = async () => (await here.storage.find(settings, { where: { key: 'n' } }))[0]?.value;
  for (let n = 1; n <= 50; n++) {
    // Some reads run while the change does; none may hold what it saw.
    const meanwhile = [read(), read(), read()];
    await there.storage.update(settings, { key: 'n' }, { value: n });
    expect(await read()).toBe(n);
    for (const value of await Promise.all(meanwhile)) expect([n - 1, n]).toContain(value);
  }
  await here.close();
  await there.close();
});

it('answers many kinds of concurrent reads and can be closed', async () => {
  const { storage, close } = await openFile(inFolder('kinds.sqlite'));
  for (let n = 0; n < 20; n++) await storage.insert(settings, { key: `k${n}`, value: n });
  const kinds = Array.from({ length: 1000 }, (_, n) => ({ offset: n % 300, limit: 1 + (n % 7) }));
  const found = await Promise.all(kinds.map((page) => storage.find(settings, page)));
  for (const [n, rows] of found.entries()) {
    const { offset = 0, limit = 0 } = kinds[n] ?? {};
    const expected = Array.from({ length: 20 }, (_, value) => value).slice(offset, offset + limit);
    expect(rows.map(({ value }) => value)).toEqual(expected);
  }
  await close();
});

it('reports refusals as Sequelize errors and runs the next statement', async () => {
  const { connection, plain, close } = await connect('refused.sqlite');
  const read = (sql: string) => connection.ask(QueryTypes.SELECT, sql, [7]);
  const insert = (n: number) => connection.ask(QueryTypes.INSERT, 'INSERT INTO numbers (n) VALUES ($1)', [n]);
  await expect(read('SELECT $1 FROM nothing')).rejects.toMatchObject({ name: 'SequelizeDatabaseError' });
  expect(await read('SELECT $1 AS seven')).toEqual([{ seven: 7 }]);
  await plain('CREATE TABLE numbers (n INTEGER UNIQUE)');
  expect(await insert(1)).toEqual([1, 1]);
  await expect(insert(1)).rejects.toMatchObject({
    name: 'SequelizeUniqueConstraintError',
    fields: { n: 'numbers.n' },
    original: { code: 'SQLITE_CONSTRAINT', sql: expect.stringContaining('numbers') },
  });
  expect(await insert(2)).toEqual([2, 1]);
  await close();
});

it('does not commit a change whose transaction is gone', async () => {
  const { connection, plain, close } = await connect('full.sqlite');
  await plain('CREATE TABLE numbers (n INTEGER UNIQUE)');
  const put = (n: number) =>
    connection.ask(QueryTypes.INSERT, 'INSERT OR ROLLBACK INTO numbers (n) VALUES ($1)', [n]);
  await put(1);
  await plain('BEGIN IMMEDIATE');
  await put(2);
  // Ends the transaction, as a full disk does; run once more the same statement would stand alone.
  await expect(put(1)).rejects.toThrow();
  await expect(plain('COMMIT')).rejects.toThrow(/no transaction/);
  expect(await plain('SELECT n FROM numbers')).toEqual([{ n: 1 }]);
  await close();
});
