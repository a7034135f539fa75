import { type Log, StoreError } from '@holdfast/plugin-api';
import { type Connections, QueryTypes } from '@holdfast/storage-sequelize';
import { transactionOn } from './postgres-connections.js';
import { errorKind } from './postgres-errors.js';
import { makePool, type PostgresWaits } from './postgres-pool.js';
import type { PostgresServer } from './postgres-server.js';

/** Of this product's schema changes, among the advisory locks of one database. */
const lockKey = 5_209_715_480_166;
/** New indexes on large tables take their time. */
const longWaits = { statementMs: 1_800_000, lockMs: 90_000 };

/**
 * Runs `work` while a transaction of this process holds the lock of the schema; it goes with the connection, so none
 * outlives a crash.
 * @throws StoreError `unavailable` when another process held it for too long
 */
export async function whileAlone(
  server: PostgresServer,
  { waits, log, work }: { waits: PostgresWaits; log: Log; work(connections: Connections): Promise<void> },
): Promise<void> {
  const pool = makePool(server, { size: 3, isolation: 'read committed', waits: { ...waits, ...longWaits } });
  const waitedLong = (error: unknown) => {
    throw errorKind(error) === 'conflict' ? heldTooLong(server) : error;
  };
  try {
    await pool.transaction(async (transaction) => {
      const ask = async (what: string) => {
        const options = { type: QueryTypes.SELECT, transaction } as const;
        const [row] = await pool.query<{ done: unknown }>(`SELECT ${what} AS done`, options);
        return row?.done;
      };
      // It is silent while the others work.
      await ask("set_config('idle_in_transaction_session_timeout', '0', true)");
      if (!(await ask(`pg_try_advisory_xact_lock(${lockKey})`))) {
        log.info('another instance prepares the database; waiting', { database: server.target });
        await ask(`pg_advisory_xact_lock(${lockKey})`).catch(waitedLong);
      }
      await work({
        reader: { sequelize: pool },
        write: (change) => change({ sequelize: pool }),
        transaction: transactionOn(pool),
        close: () => pool.close(),
      });
    });
  } finally {
    await pool.close();
  }
}

const heldTooLong = ({ target }: PostgresServer) =>
  new StoreError(
    'unavailable',
    `Another instance has been changing the schema of the database ${target} for ${longWaits.lockMs / 1000} s; ` +
      'start again when it is done, or end it.',
  );
