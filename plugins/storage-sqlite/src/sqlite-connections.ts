import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Connections, type Executor, QueryTypes, Sequelize } from '@holdfast/storage-sequelize';
import sqlite3 from 'sqlite3';
import { keepStatements } from './kept-statements.js';
import { WriteQueue } from './write-queue.js';
import type { WriteTrouble } from './write-trouble.js';

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
 * A missing file and its folder are made, for this user only.
 */
export async function openSqlite(
  file: string,
  waits: SqliteWaits,
  trouble: WriteTrouble,
): Promise<Connections> {
  await prepareFile(file);
  const writer = keepStatements(connect(file));
  const reader = keepStatements(connect(file));
  const close = async () => {
    await reader.close();
    await writer.close();
  };
  try {
    await configureWriter(writer, waits);
    await configureReader(reader, waits);
  } catch (error) {
    await close();
    throw error;
  }
  const queue = new WriteQueue(waits.patienceMs);
  const executor: Executor = { sequelize: writer };
  const write: Connections['write'] = (work) =>
    queue.run(() => trouble.notedOf(() => inTransaction(executor, waits, work)));
  return {
    reader: { sequelize: reader },
    write,
    transaction: write,
    close,
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
export async function openReader(file: string, waits: SqliteWaits): Promise<Sequelize> {
  const reader = connect(file, sqlite3.OPEN_READWRITE);
  try {
    await configureReader(reader, waits);
    return reader;
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function connect(file: string, mode = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE): Sequelize {
  return new Sequelize({
    dialect: 'sqlite',
    dialectModule: sqlite3,
    dialectOptions: { mode },
    storage: file,
    logging: false,
    // Waiting for a lock is left to SQLite: to repeat would multiply its time.
    retry: { max: 1 },
  });
}

async function configureWriter(writer: Sequelize, { busyTimeoutMs }: SqliteWaits): Promise<void> {
  await writer.query(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  // Of several processes that make the file at once all but one are told at once that it is locked.
  await whenFree(() => writer.query('PRAGMA journal_mode = WAL'), { busyTimeoutMs, pauseMs: askAgainMs });
  // A committed job must outlive a loss of power; NORMAL may forget the last commits.
  await writer.query('PRAGMA synchronous = FULL');
  await writer.query(`PRAGMA busy_timeout = ${Math.min(askAgainMs, busyTimeoutMs)}`);
}

async function configureReader(reader: Sequelize, { busyTimeoutMs }: SqliteWaits): Promise<void> {
  await reader.query(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  await reader.query('PRAGMA query_only = ON');
}

/** Of a statement that is kept. */
const change = { bind: [], type: QueryTypes.BULKUPDATE };

/**
 * SQLite itself asks for the lock of another process at ever longer pauses, and who has just given it back is faster
 * than all who sleep: under many changes one process would keep the others waiting for seconds.
 */
function begin(sequelize: Sequelize, busyTimeoutMs: number): Promise<void> {
  // IMMEDIATE: a transaction that reads first and writes later would fail at a change in between.
  return whenFree(() => sequelize.query('BEGIN IMMEDIATE', change), { busyTimeoutMs, pauseMs: 0 });
}

interface Waiting {
  busyTimeoutMs: number;
  /** Between two tries; 0 where SQLite has waited itself. */
  pauseMs: number;
}

async function whenFree(work: () => Promise<unknown>, { busyTimeoutMs, pauseMs }: Waiting): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      if (pauseMs > 0) await pause(pauseMs);
    }
  }
}

const isBusy = (error: unknown) =>
  (error as { original?: NodeJS.ErrnoException }).original?.code === 'SQLITE_BUSY';

/** On the writer's own connection, which the queue lends to nobody else meanwhile: sequelize would open a new one. */
async function inTransaction<T>(
  executor: Executor,
  { busyTimeoutMs }: SqliteWaits,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const { sequelize } = executor;
  await begin(sequelize, busyTimeoutMs);
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
