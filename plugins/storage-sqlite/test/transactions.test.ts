import { type Executor, Transaction } from '@holdfast/storage-sequelize';
import { expect, it } from 'vitest';
import { sqliteDialect } from '../src/sqlite-dialect.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();

const tables = [
  'CREATE TABLE parent (id INTEGER PRIMARY KEY)',
  'CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)',
];
const put =
  (sql: string) =>
  ({ sequelize, transaction }: Executor) =>
    sequelize.query(sql, { transaction });

it('runs a transaction of Sequelize on one connection', async () => {
  const connections = await sqliteDialect(inFolder('one.sqlite')).open();
  const seen = new Set<object>();
  for (const sql of tables)
    await connections.transaction(async (executor) => {
      expect(executor.transaction).toBeInstanceOf(Transaction);
      await put(sql)(executor);
      seen.add(await executor.sequelize.connectionManager.getConnection({ type: 'write' }));
    });
  expect(seen.size).toBe(1);
  await connections.close();
});

it('leaves nothing of a transaction whose commit fails, and runs the next', async () => {
  const connections = await sqliteDialect(inFolder('orphan.sqlite')).open();
  for (const sql of tables) await connections.write(put(sql));
  const orphan = connections.transaction(put('INSERT INTO child VALUES (7)'));
  await expect(orphan).rejects.toMatchObject({ original: { code: 'SQLITE_CONSTRAINT' } });
  await connections.transaction(put('INSERT INTO parent VALUES (1)'));
  const rows = ['child', 'parent'].map((table) =>
    connections.reader.sequelize.query(`SELECT * FROM ${table}`),
  );
  expect((await Promise.all(rows)).map(([found]) => found)).toEqual([[], [{ id: 1 }]]);
  await connections.close();
});
