import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connections, type Executor, Sequelize, Transaction, Turns } from '@holdfast/storage-sequelize';
import sqlite3 from 'sqlite3';
import { KeptConnection } from './kept-connection.js';

export interface SqliteWaits {
  /** How long a statement waits for the lock of another process. */
  busyTimeoutMs: number;
  /** How long a change waits for the changes before it in this process. */
  patienceMs: number;
}

/** How long SQLite's own waiting for a lock goes on, at pauses of at most ten milliseconds, before it begins anew. */
const askAgainMs = 20;

/**
 * Opens one connection for reads and one for changes, so that reads go on while a commit waits for the disk.
 * A missing file and its folder are made, for this user only. `failed` hears why a change failed.
 */
export async function openSqlite(
  file: string,
  waits: SqliteWaits,
  failed: (error: unknown) => void,
): Promise<Connections> {
  await prepareFile(file);
  const writer = await connect(file, waits, (sequelize) => configureWriter(sequelize, waits));
  const close = () => writer.sequelize.close();
  const reader = await openReader(file, waits).catch((error) => close().then(() => Promise.reject(error)));
  // SQLite allows one writer.
  const turns = new Turns({ refusedAfterMs: waits.patienceMs });
  const change = <T>(work: () => Promise<T>) =>
    turns.run(() =>
      work().catch((error) => {
        failed(error);
        throw error;
      }),
    );
  return {
    reader,
    // SQLite commits a statement outside of a transaction by itself, and does nothing of one that is refused as busy.
    write: (work) => change(() => whenFree(() => work(writer), waits)),
    transaction: (work) => change(() => inTransaction(writer, work)),
    close: () => reader.sequelize.close().then(close),
  };
}

async function prepareFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a', 0o600);
  await handle.close();
  // Also for a file that was there; the files of the log take its mode.
  await chmod(file, 0o600);
}

/** For reads alone, on a file that is there. */
export const openReader = (file: string, waits: SqliteWaits): Promise<Executor> =>
  connect(file, waits, async (reader) => {
    await reader.query(`PRAGMA busy_timeout = ${waits.busyTimeoutMs}`);
    await reader.query('PRAGMA query_only = ON');
  });

async function connect(
  file: string,
  { busyTimeoutMs }: SqliteWaits,
  configure: (sequelize: Sequelize) => Promise<void>,
): Promise<Executor> {
  let opened: KeptConnection | undefined;
  class Database extends KeptConnection {
    constructor(_: string, ...words: [mode: number, done: () => void]) {
      super(file, busyTimeoutMs, ...words);
      opened = this;
    }
  }
  const sequelize = new Sequelize({
    dialect: 'sqlite',
    dialectModule: { ...sqlite3, Database },
    dialectOptions: { mode: sqlite3.OPEN_READWRITE },
    storage: ':memory:',
    logging: false,
    // The connection waits for a lock: to repeat would multiply its time.
    retry: { max: 1 },
  });
  try {
    await configure(sequelize);
    return { sequelize, run: opened?.ask };
  } catch (error) {
    await sequelize.close();
    throw error;
  }
}

async function configureWriter(writer: Sequelize, waits: SqliteWaits): Promise<void> {
  const { busyTimeoutMs } = waits;
  await writer.query(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  // Of several processes that make the file at once all but one are told at once that it is locked.
  await whenFree(() => writer.query('PRAGMA journal_mode = WAL'), waits, askAgainMs);
  // A committed job must outlive a loss of power; NORMAL may forget the last commits.
  await writer.query('PRAGMA synchronous = FULL');
  await writer.query(`PRAGMA busy_timeout = ${Math.min(askAgainMs, busyTimeoutMs)}`);
}

/**
 * SQLite itself asks for the lock of another process at ever longer pauses, and who has just given it back is faster than
 * all who sleep: under many changes one process would keep the others waiting for seconds.
 */
async function whenFree<T>(work: () => Promise<T>, { busyTimeoutMs }: SqliteWaits, pauseMs = 0): Promise<T> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { code } = (error as { original?: NodeJS.ErrnoException }).original ?? {};
      if (code !== 'SQLITE_BUSY' || performance.now() >= deadline) throw error;
      if (pauseMs > 0) await pause(pauseMs);
    }
  }
}

async function inTransaction<T>(executor: Executor, work: (executor: Executor) => Promise<T>): Promise<T> {
  const { sequelize } = executor;
  // A transaction that reads first and writes later would fail at a change in between.
  const transaction = await sequelize.transaction({ type: Transaction.TYPES.IMMEDIATE });
  try {
    const result = await work({ ...executor, transaction });
    await transaction.commit();
    return result;
  } catch (error) {
    // Sequelize would leave a failed commit to the end of the connection, and refuses to roll it back.
    const again = () => sequelize.query('ROLLBACK;');
    await transaction.rollback().catch(() => again().catch(() => {}));
    throw error;
  }
}
