import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connections, type Executor, QueryTypes, Sequelize, Turns } from '@holdfast/storage-sequelize';
import sqlite3 from 'sqlite3';
import { keepStatements } from './kept-statements.js';

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
  const writer = await connect(file, (sequelize) => configureWriter(sequelize, waits));
  const close = () => writer.close();
  const reader = await openReader(file, waits).catch((error) => close().then(() => Promise.reject(error)));
  // SQLite allows one writer.
  const turns = new Turns({ refusedAfterMs: waits.patienceMs });
  const write: Connections['write'] = (work) =>
    turns.run(() =>
      inTransaction({ sequelize: writer }, waits, work).catch((error) => {
        failed(error);
        throw error;
      }),
    );
  return {
    reader: { sequelize: reader },
    write,
    transaction: write,
    close: () => reader.close().then(close),
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
export const openReader = (file: string, { busyTimeoutMs }: SqliteWaits): Promise<Sequelize> =>
  connect(file, async (reader) => {
    await reader.query(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    await reader.query('PRAGMA query_only = ON');
  });

async function connect(file: string, configure: (sequelize: Sequelize) => Promise<void>): Promise<Sequelize> {
  const sequelize = keepStatements(
    new Sequelize({
      dialect: 'sqlite',
      dialectModule: sqlite3,
      dialectOptions: { mode: sqlite3.OPEN_READWRITE },
      storage: file,
      logging: false,
      // Waiting for a lock is left to SQLite: to repeat would multiply its time.
      retry: { max: 1 },
    }),
  );
  try {
    await configure(sequelize);
    return sequelize;
  } catch (error) {
    await sequelize.close();
    throw error;
  }
}

async function configureWriter(writer: Sequelize, { busyTimeoutMs }: SqliteWaits): Promise<void> {
  await writer.query(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  // Of several processes that make the file at once all but one are told at once that it is locked.
  await whenFree(() => writer.query('PRAGMA journal_mode = WAL'), busyTimeoutMs, askAgainMs);
  // A committed job must outlive a loss of power; NORMAL may forget the last commits.
  await writer.query('PRAGMA synchronous = FULL');
  await writer.query(`PRAGMA busy_timeout = ${Math.min(askAgainMs, busyTimeoutMs)}`);
}

async function whenFree(work: () => Promise<unknown>, busyTimeoutMs: number, pauseMs = 0): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const { code } = (error as { original?: NodeJS.ErrnoException }).original ?? {};
      if (code !== 'SQLITE_BUSY' || performance.now() >= deadline) throw error;
      if (pauseMs > 0) await pause(pauseMs);
    }
  }
}

/** Of a statement that is kept. */
const change = { bind: [], type: QueryTypes.BULKUPDATE };

/** On the writer's own connection, which is lent to nobody else meanwhile: sequelize would open a new one. */
async function inTransaction<T>(
  executor: Executor,
  { busyTimeoutMs }: SqliteWaits,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const { sequelize } = executor;
  // IMMEDIATE: a transaction that reads first and writes later would fail at a change in between. SQLite itself asks for
  // the lock of another process at ever longer pauses, and who has just given it back is faster than all who sleep: under
  // many changes one process would keep the others waiting for seconds.
  await whenFree(() => sequelize.query('BEGIN IMMEDIATE', change), busyTimeoutMs);
  try {
    const result = await work(executor);
    await sequelize.query('COMMIT', change);
    return result;
  } catch (error) {
    // After some errors, a full disk for one, SQLite has rolled back by itself and refuses.
    await sequelize.query('ROLLBACK', change).catch(() => {});
    throw error;
  }
}
