import { type Log, StoreError } from '@holdfast/plugin-api';
import { type Connections, QueryTypes } from '@holdfast/storage-sequelize';
import { inTransaction } from './postgres-connections.js';
import { errorKind } from './postgres-errors.js';
import { makePool, type PostgresWaits } from './postgres-pool.js';
import type { PostgresServer } from './postgres-server.js';

/** Of this product's schema changes, among the advisory locks of one database. */
const lockKey = 5_209_715_480_166;
/** New indexes on large tables take their time. */
const longWaits = { statementMs: 1_800_000, lockMs: 90_000 };

/**
 * Runs `work` while this process holds the lock of the schema; it goes with the connection, so none outlives a crash.
 * @throws StoreError `unavailable` when another process held it for too long
 */
export async function whileAlone(
  server: PostgresServer,
  { waits, log, work }: { waits: PostgresWaits; log: Log; work(connections: Connections): Promise<void> },
): Promise<void> {
  const pool = makePool(server, { size: 3, isolation: 'read committed', waits: { ...waits, ...longWaits } });
  const connection = await pool.connectionManager.getConnection({ type: 'write' });
  const ask = async (verb: string) => {
    const options = { type: QueryTypes.SELECT, transaction: { connection } as never } as const;
    const [row] = await pool.query<{ done: unknown }>(`SELECT ${verb}(${lockKey}) AS done`, options);
    return row?.done;
  };
  try {
    if (!(await ask('pg_try_advisory_lock'))) {
      log.info('another instance prepares the database; waiting', { database: server.target });
      await ask('pg_advisory_lock').catch((error) => {
        throw errorKind(error) === 'conflict' ? heldTooLong(server) : error;
      });
    }
    await work({
      reader: { sequelize: pool },
      write: (change) => change({ sequelize: pool }),
      transaction: (change) => inTransaction(pool, change),
      close: () => pool.close(),
    });
    await ask('pg_advisory_unlock');
  } finally {
    pool.connectionManager.releaseConnection(connection);
    await pool.close();
  }
}

const heldTooLong = ({ target }: PostgresServer) =>
  new StoreError(
    'unavailable',
    `Another instance has been changing the schema of the database ${target} for ${longWaits.lockMs / 1000} s; ` +
      'start again when it is done, or end it.',
  );
