import { setTimeout as pause } from 'node:timers/promises';
import { Sequelize } from '@holdfast/storage-sequelize';
import * as mariadb from 'mariadb';
import { errorKind } from './errors.js';

/** How long a single statement is retried after conflicts, in milliseconds. */
const collisionsMs = 10_000;

const session = [
  // Statements quote identifiers as in the standard, and nothing is truncated silently.
  "SET SESSION sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES'",
  'SET SESSION innodb_lock_wait_timeout = 10',
  // Bytes of a text by which rows are sorted; the server's default is 1024.
  'SET SESSION max_sort_length = 65536',
];

export function makePool(url) {
  return new Sequelize(url.replace(/^mysql:/, 'mariadb:'), {
    dialect: 'mariadb',
    dialectModule: mariadb,
    logging: false,
    pool: { max: 10, acquire: 10_000 },
    retry: { max: 1 },
    isolationLevel: 'SERIALIZABLE',
    // An update counts the rows that it matched, even those that it leaves unchanged.
    dialectOptions: { charset: 'utf8mb4', foundRows: true, connectTimeout: 4000, initSql: session },
  });
}

/** @returns {Promise<import('@holdfast/storage-sequelize').Connections>} */
export async function openConnections(pool) {
  try {
    await pool.authenticate();
  } catch (error) {
    await pool.close();
    throw error;
  }
  const executor = { sequelize: pool };
  return {
    reader: executor,
    write: (work) => repeated(() => work(executor)),
    transaction: (work) => pool.transaction((transaction) => work({ sequelize: pool, transaction })),
    close: () => pool.close(),
  };
}

/** A statement that lost a deadlock leaves no changes, so it may be repeated. */
async function repeated(statement) {
  const deadline = performance.now() + collisionsMs;
  for (let longest = 4; ; longest = Math.min(longest * 2, 200)) {
    try {
      return await statement();
    } catch (error) {
      if (errorKind(error) !== 'conflict' || performance.now() >= deadline) throw error;
      await pause(Math.random() * longest);
    }
  }
}
