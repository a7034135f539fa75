import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { inTurn } from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { applicationId, indexFormat, schema } from './schema.js';
import { isBusy, isDamage, Sqlite } from './sqlite.js';

/** KiB of pages in memory. */
const cacheKiB = { writer: 16_000, reader: 8_000 };
const idleReaders = 2;
const againMs = 200;
const mostTries = 5;

interface Opened {
  writer: Sqlite;
  readers: Sqlite[];
  inode: number;
  isOver: boolean;
}

/**
 * One file with connections to it: one that writes, and one for each read at the same time. Reads see the state of
 * their begin. Another process may use the file, remove it, or replace it.
 */
export class IndexFile {
  #opened: Promise<Opened> | null = null;
  #isClosed = false;
  readonly #writing = inTurn();

  constructor(
    private readonly path: string,
    private readonly repositoryToolId: string,
    private readonly log: Log,
  ) {}

  /** Opens it, or makes it. */
  async prepare(): Promise<void> {
    await this.#current();
  }

  /** Of a damaged file the second attempt reads the new one. */
  async read<T>(work: (db: Sqlite) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await this.#readOnce(work, signal);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return await this.#readOnce(work, signal);
    }
  }

  async *stream<T>(work: (db: Sqlite) => AsyncGenerator<T>): AsyncGenerator<T> {
    const reading = await this.#begin();
    try {
      yield* work(reading.db);
    } catch (error) {
      throw await this.#judge(error, reading.opened);
    } finally {
      await this.#end(reading);
    }
  }

  /** All of `work`, or nothing. One after the other, also among processes. */
  write<T>(work: (db: Sqlite) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#writing(async () => {
      const opened = await this.#current();
      const { writer } = opened;
      try {
        await beginToWrite(writer, signal);
        const result = await work(writer);
        await writer.exec('COMMIT');
        return result;
      } catch (error) {
        await writer.exec('ROLLBACK').catch(() => {});
        throw await this.#judge(error, opened);
      } finally {
        // What a reader keeps it from is left for later.
        if (!opened.isOver)
          await writer.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)').catch(() => {});
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.rest();
  }

  /** Closes its connections when nothing is being written; the next use opens them again. */
  async rest(): Promise<void> {
    await this.#writing(async () => {
      const opened = await this.#opened?.catch(() => null);
      this.#opened = null;
      if (opened) await closeAll(opened);
    });
  }

  async #readOnce<T>(work: (db: Sqlite) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const reading = await this.#begin();
    const interrupt = () => reading.db.interrupt();
    signal?.addEventListener('abort', interrupt);
    try {
      return await work(reading.db);
    } catch (error) {
      signal?.throwIfAborted();
      throw await this.#judge(error, reading.opened);
    } finally {
      signal?.removeEventListener('abort', interrupt);
      await this.#end(reading);
    }
  }

  async #begin(): Promise<{ db: Sqlite; opened: Opened }> {
    const opened = await this.#current();
    const db = opened.readers.pop() ?? (await connect(this.path, cacheKiB.reader));
    await db.exec('BEGIN');
    return { db, opened };
  }

  async #end({ db, opened }: { db: Sqlite; opened: Opened }): Promise<void> {
    await db.exec('ROLLBACK').catch(() => {});
    if (opened.isOver || opened.readers.length >= idleReaders) await db.close().catch(() => {});
    else opened.readers.push(db);
  }

  /** Opens the file again when it is not the one that was opened. */
  async #current(): Promise<Opened> {
    if (this.#isClosed) throw new Error('the index of archives is closed');
    const opened = await this.#opened?.catch(() => null);
    if (opened && !opened.isOver && (await inodeOf(this.path)) === opened.inode) return opened;
    // Of several callers at once the first one opens.
    const now = await this.#opened?.catch(() => null);
    if (!now || now === opened) {
      if (opened && !opened.isOver) await closeAll(opened);
      this.#opened = this.#open();
    }
    return this.#opened as Promise<Opened>;
  }

  async #open(): Promise<Opened> {
    for (let tries = 1; ; tries++) {
      await (await open(this.path, 'a', 0o600)).close();
      const inode = await inodeOf(this.path);
      let writer: Sqlite | null = null;
      try {
        writer = await connect(this.path, cacheKiB.writer);
        const problem = await problemOf(writer, this.repositoryToolId);
        if (problem === null) return { writer, readers: [], inode, isOver: false };
        await writer.close();
        await this.#remove(inode, problem);
      } catch (error) {
        await writer?.close().catch(() => {});
        if (tries === mostTries) throw error;
        if (isDamage(error)) await this.#remove(inode, error.message);
        else if (isBusy(error)) await pause(againMs);
        else throw error;
      }
    }
  }

  /** The error to throw. A damaged file is replaced. */
  async #judge(error: unknown, opened: Opened): Promise<unknown> {
    if (!isDamage(error) || opened.isOver) return error;
    await closeAll(opened);
    await this.#remove(opened.inode, error.message);
    return error;
  }

  /** Unless another process has replaced it. */
  async #remove(inode: number, reason: string): Promise<void> {
    if ((await inodeOf(this.path)) !== inode) return;
    this.log.warn('the index of archives is made again', { path: this.path, reason });
    await removeIndexFile(this.path);
  }
}

export async function removeIndexFile(path: string): Promise<void> {
  for (const name of [path, `${path}-wal`, `${path}-shm`]) await rm(name, { force: true });
}

const inodeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.ino ?? 0;

/** Connections in use are closed at their end. */
async function closeAll(opened: Opened): Promise<void> {
  opened.isOver = true;
  for (const db of [opened.writer, ...opened.readers.splice(0)]) await db.close().catch(() => {});
}

async function connect(path: string, cache: number): Promise<Sqlite> {
  const db = await Sqlite.open(path);
  try {
    await db.exec(
      `PRAGMA busy_timeout = 1000; PRAGMA synchronous = NORMAL; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -${cache}; PRAGMA journal_size_limit = 4194304; PRAGMA cell_size_check = ON`,
    );
    return db;
  } catch (error) {
    await db.close().catch(() => {});
    throw error;
  }
}

/** Waits for another process that writes. */
async function beginToWrite(db: Sqlite, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await db.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (!isBusy(error)) throw error;
      await pause(againMs, undefined, { signal });
    }
  }
}

/** Why it can't be used; null: it can. Makes the tables of a new one. */
async function problemOf(db: Sqlite, repositoryToolId: string): Promise<string | null> {
  if (await isEmpty(db)) await makeTables(db, repositoryToolId);
  const { id, format } =
    (await db.get(
      'SELECT application_id AS id, user_version AS format FROM pragma_application_id, pragma_user_version',
    )) ?? {};
  if (id !== applicationId || format !== indexFormat) return 'another format';
  const [about] = await db.all("SELECT value FROM about WHERE name = 'repository'");
  return about?.value === repositoryToolId ? null : 'of another repository';
}

const isEmpty = async (db: Sqlite): Promise<boolean> =>
  (await db.get('SELECT count(*) AS tables FROM sqlite_schema'))?.tables === 0;

async function makeTables(db: Sqlite, repositoryToolId: string): Promise<void> {
  // These write, and only to a new file.
  await db.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
  await db.exec('BEGIN IMMEDIATE');
  try {
    if (await isEmpty(db)) {
      await db.exec(
        `${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${indexFormat};`,
      );
      await db.run("INSERT INTO about VALUES ('repository', ?)", [repositoryToolId]);
    }
  } finally {
    await db.exec('COMMIT');
  }
}
