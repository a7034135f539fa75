import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, copyFile, link, open, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type StorageCopies, StoreError } from '@holdfast/plugin-api';

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
    if ((await headOf(copy)) !== beginning)
      throw new StoreError('invalid', `${copy} is not an SQLite database.`);
    const draft = `${file}.draft`;
    try {
      await copyFile(copy, draft, constants.COPYFILE_FICLONE);
      await synced(draft);
      await link(draft, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        throw new StoreError('conflict', `The database ${file} already exists.`);
      });
    } finally {
      await rm(draft, { force: true });
    }
    await synced(dirname(file));
  },
});

/** Ends with whoever started it. */
const program = `
  const [, library, file, target] = process.argv;
  const sqlite3 = require(library);
  const ended = (error) => {
    if (error) process.stderr.write(JSON.stringify({ code: error.code, message: error.message }));
    process.exit(error ? 1 : 0);
  };
  process.stdin.on('close', () => process.exit(1)).resume();
  const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY, (error) => {
    if (error) ended(error);
    else database.run('VACUUM INTO ?', [target], ended);
  });
`;
const niceness = 15;

/** In a process of its own, which leaves the processor to the service. */
async function vacuumInto(file: string, target: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const library = createRequire(import.meta.url).resolve('sqlite3');
  const child = spawn(process.execPath, ['-e', program, library, file, target], {
    env: {},
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  try {
    const ended = once(child, 'close');
    if (child.pid !== undefined) setPriority(child.pid, Math.min(19, getPriority() + niceness));
    const [code] = (await ended) as [number | null];
    signal?.throwIfAborted();
    if (code !== 0) throw failureIn(said, code);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function failureIn(said: string, code: number | null): Error {
  try {
    const { message, ...more } = JSON.parse(said) as { message: string; code?: string };
    return Object.assign(new Error(message), more);
  } catch {
    return new Error(`The copy of the database ended with ${code}: ${said.slice(0, 500)}`);
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
  throw new StoreError('invalid', `The file ${path} already exists.`);
};

const missing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
