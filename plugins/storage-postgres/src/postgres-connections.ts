import { setTimeout as pause } from 'node:timers/promises';
import { type Log, StoreError } from '@holdfast/plugin-api';
import { type Connections, type Sequelize, Turns } from '@holdfast/storage-sequelize';
import { checkServer } from './check-server.js';
import { causeOf, isAway, isCollision } from './postgres-errors.js';
import { makePool, type PostgresWaits } from './postgres-pool.js';
import type { PostgresServer } from './postgres-server.js';
import { refusePooler } from './refuse-pooler.js';

const sizes = { readers: 5, writers: 5 };
/** How long a change may keep those after it waiting. */
const longMs = 100;
/** How long a single statement is repeated that met others. */
const collisionsMs = 10_000;

/** Servers that are started together with us need a moment; who waits for this start wants to hear soon. */
const away = { patienceMs: 5_000, askAgainMs: 250 };

/**
 * One pool for single reads, one for changes: long reads don't hold up transactions. All changes are serialisable,
 * single statements too, as PostgreSQL promises that among serialisable ones only.
 */
export async function openPostgres(
  server: PostgresServer,
  { waits, log }: { waits: PostgresWaits; log: Log },
): Promise<Connections> {
  const readers = makePool(server, { size: sizes.readers, isolation: 'read committed', waits });
  const writers = makePool(server, { size: sizes.writers, isolation: 'serializable', waits });
  const transact = transactionOn(writers);
  // Changes that run at once on the same rows would refuse each other again and again.
  const turns = new Turns({ passedAfterMs: longMs });
  const close = async () => {
    await Promise.all([readers.close(), writers.close()]);
  };
  try {
    await whenThere(() => checkServer(writers, server), server, log);
    await refusePooler(readers, writers, server);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    reader: { sequelize: readers },
    write: (work) => turns.run(() => repeated(() => work({ sequelize: writers }))),
    transaction: (work) => turns.run(() => transact(work)),
    close,
  };
}

/** Tries again while the server is away. @throws StoreError `unavailable` that says what to do, after a while */
async function whenThere(ask: () => Promise<void>, { target }: PostgresServer, log: Log): Promise<void> {
  const deadline = performance.now() + away.patienceMs;
  for (let told = false; ; told = true) {
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() >= deadline) {
        const cause = causeOf(error);
        const what = `does not respond (${cause?.code ?? cause?.message}); start its server, or correct DATABASE_URL.`;
        throw new StoreError('unavailable', `The database ${target} ${what}`, { cause: error });
      }
      if (!told) log.warn('the database does not respond yet; trying again', { database: target });
      await pause(away.askAgainMs);
    }
  }
}

/** Nothing stays of a statement that met another, so it may be given again. */
async function repeated<T>(statement: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + collisionsMs;
  for (let longest = 4; ; longest = Math.min(longest * 2, 200)) {
    try {
      return await statement();
    } catch (error) {
      if (!isCollision(error) || performance.now() >= deadline) throw error;
      await pause(Math.random() * longest);
    }
  }
}

/**
 * PostgreSQL tells of some conflicts at the commit, and Sequelize gives up the connection of a commit that fails, and
 * complains on the console: its own commits nothing.
 */
export const transactionOn =
  (sequelize: Sequelize): Connections['transaction'] =>
  (work) =>
    sequelize.transaction(async (transaction) => {
      const result = await work({ sequelize, transaction });
      await sequelize.query('COMMIT AND CHAIN', { transaction });
      return result;
    });
