import { constants, copyFile, link, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type StorageCopies, StoreError } from '@holdfast/plugin-api';
import sqlite3 from 'sqlite3';

/** The first bytes of every SQLite database. */
const beginning = 'SQLite format 3\0';

/** Copies of one database file, each a database of its own without a log beside it. */
export const sqliteCopies = (file: string): StorageCopies => ({
  form: 'sqlite',
  async size() {
    const sizes = [file, `${file}-wal`].map((path) => stat(path).then(({ size }) => size, missing(0)));
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  },
  async write(target, { signal } = {}) {
    // SQLite would fill an empty file, and would make one that others can read.
    const handle = await open(target, 'wx', 0o600).catch(taken(target));
    await handle.close();
    try {
      await whileSynced(target, () => vacuumInto(file, target, signal));
      await synced(target);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  },
  async putBack(copy) {
    if ((await headOf(copy)) !== beginning) throw new StoreError('invalid', `${copy} is no SQLite database.`);
    const draft = `${file}.draft`;
    try {
      await copyFile(copy, draft, constants.COPYFILE_FICLONE);
      await synced(draft);
      await link(draft, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        throw new StoreError('conflict', `There is a database ${file} already.`);
      });
    } finally {
      await rm(draft, { force: true });
    }
    await synced(dirname(file));
  },
});

/** On a connection of its own: a statement that takes long would hold up all others on the same one. */
async function vacuumInto(file: string, target: string, signal?: AbortSignal): Promise<void> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, sqlite3.OPEN_READONLY, (error) =>
      error ? reject(error) : resolve(opened),
    );
  });
  const stop = () => database.interrupt();
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', stop, { once: true });
    await new Promise<void>((resolve, reject) => {
      database.run('VACUUM INTO ?', [target], (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', stop);
    await new Promise((resolve) => database.close(resolve));
  }
}

/** How much of a copy is not on disk yet, at most, in time. */
const syncEveryMs = 50;

/** One sync at the end of a large file would hold up every commit beside it for seconds. */
async function whileSynced(path: string, work: () => Promise<void>): Promise<void> {
  const handle = await open(path, 'r');
  let isOver = false;
  const syncing = (async () => {
    while (!isOver) {
      await handle.datasync();
      await pause(syncEveryMs);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await syncing.finally(() => handle.close());
  }
}

async function headOf(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

const taken = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EEXIST') throw error;
  throw new StoreError('invalid', `There is a file ${path} already.`);
};

const missing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
