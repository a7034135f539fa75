import { setTimeout as pause } from 'node:timers/promises';
import { Sequelize } from '@holdfast/storage-sequelize';
import * as mariadb from 'mariadb';
import { errorKind } from './errors.js';

/** How long a single statement is repeated that met others. */
const collisionsMs = 10_000;

const session = [
  // The statements quote identifiers as the standard does, and nothing is cut to fit in silence.
  "SET SESSION sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES'",
  'SET SESSION innodb_lock_wait_timeout = 10',
  // Of a text that rows are sorted by; the server's own is 1024 bytes.
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
    // An update counts the rows that it matched, also those that it leaves as they are.
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

/** Nothing stays of a statement that lost a deadlock, so it may be given again. */
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
