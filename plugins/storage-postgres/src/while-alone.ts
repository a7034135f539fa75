import { setTimeout as pause } from 'node:timers/promises';
import { type Log, StoreError } from '@holdfast/plugin-api';
import { type Connections, QueryTypes, type Sequelize } from '@holdfast/storage-sequelize';
import { inTransaction } from './postgres-connections.js';
import { makePool, type PostgresWaits } from './postgres-pool.js';
import type { PostgresServer } from './postgres-server.js';

/** Of this product's schema changes, among the advisory locks of one database. */
const lockKey = 5_209_715_480_166;
const askAgainMs = 200;
const patienceMs = 90_000;
/** New indexes on large tables take their time. */
const longWaits = { statementMs: 1_800_000, lockMs: 60_000 };

interface Alone {
  waits: PostgresWaits;
  log: Log;
  work(connections: Connections): Promise<void>;
  patienceMs?: number;
}

/**
 * Runs `work` while this process holds the lock of the schema; it goes with the connection, so none outlives a crash.
 * @throws StoreError `unavailable` when another process held it for too long
 */
export async function whileAlone(
  server: PostgresServer,
  { waits, log, work, ...options }: Alone,
): Promise<void> {
  const pool = makePool(server, {
    size: 3,
    isolation: 'read committed',
    waits: { ...waits, ...longWaits },
  });
  const holder = await pool.connectionManager.getConnection({ type: 'write' });
  const ask = async (verb: string): Promise<boolean> => {
    const transaction = { connection: holder } as never;
    const [row] = await pool.query<{ done: boolean }>(`SELECT ${verb}(${lockKey}) AS done`, {
      type: QueryTypes.SELECT,
      transaction,
    });
    return row?.done === true;
  };
  try {
    await obtain(() => ask('pg_try_advisory_lock'), {
      server,
      log,
      patienceMs: options.patienceMs ?? patienceMs,
    });
    await work(connectionsOf(pool));
    await ask('pg_advisory_unlock');
  } finally {
    pool.connectionManager.releaseConnection(holder);
    await pool.close();
  }
}

async function obtain(
  take: () => Promise<boolean>,
  { server, log, patienceMs }: { server: PostgresServer; log: Log; patienceMs: number },
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let told = false; !(await take()); told = true) {
    if (performance.now() >= deadline) {
      throw new StoreError(
        'unavailable',
        `Another instance has been changing the schema of the database ${server.target} for ` +
          `${Math.round(patienceMs / 1000)} s; start again when it is done, or end it.`,
      );
    }
    if (!told) log.info('another instance prepares the database; waiting', { database: server.target });
    await pause(askAgainMs);
  }
}

const connectionsOf = (pool: Sequelize): Connections => ({
  reader: { sequelize: pool },
  write: (work) => work({ sequelize: pool }),
  transaction: (work) => inTransaction(pool, work),
  close: () => pool.close(),
});
