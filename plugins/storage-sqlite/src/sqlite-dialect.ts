import type { StoreErrorKind } from '@holdfast/plugin-api';
import { DataTypes, type Executor, QueryTypes, runOn, type SqlDialect } from '@holdfast/storage-sequelize';
import { Ballast } from './ballast.js';
import { openSqlite, type SqliteWaits } from './sqlite-connections.js';
import { sqliteCopies } from './sqlite-copies.js';
import { lookAtSqlite } from './sqlite-look.js';

/** Any other code, such as SQLITE_ERROR or SQLITE_RANGE, is a wrong request. */
const kinds: Record<string, StoreErrorKind> = {
  SQLITE_BUSY: 'conflict',
  SQLITE_LOCKED: 'conflict',
  SQLITE_CANTOPEN: 'unavailable',
  SQLITE_CORRUPT: 'unavailable',
  SQLITE_FULL: 'unavailable',
  SQLITE_IOERR: 'unavailable',
  SQLITE_NOMEM: 'unavailable',
  SQLITE_NOTADB: 'unavailable',
  SQLITE_PERM: 'unavailable',
  SQLITE_PROTOCOL: 'unavailable',
  SQLITE_READONLY: 'unavailable',
};

/** Codes of the file system, from making the folder and the file. */
const fileErrors = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

/** What becomes of a change for a reason that somebody has to see to. */
const advices: Record<string, string> = {
  SQLITE_BUSY: 'is locked by another process; Holdfast continues when that ends.',
  SQLITE_FULL: "can't be written to: its disk is full. Free some space.",
  SQLITE_IOERR: "can't be written to: its disk reports errors.",
  SQLITE_READONLY: "can't be written to: it, its folder or its disk is read-only for Holdfast.",
  SQLITE_CANTOPEN: "can't be opened: its folder is gone, read-only or out of open files.",
};

/** A start has more urgent things to write. */
const firstFillMs = 30_000;

const defaultWaits: SqliteWaits = { busyTimeoutMs: 5_000, patienceMs: 10_000 };

export function sqliteDialect(file: string, waits = defaultWaits): SqlDialect {
  // Reads go on when the disk is full or a lock is kept, and would say that all is well.
  let isTroubled = false;
  const ballast = new Ballast(file);
  const adviceOf = (error: unknown) => advices[codeOf(error) ?? ''];
  return {
    target: file,
    columnTypes: {
      // AUTOINCREMENT, which sequelize adds, wants exactly this type.
      id: DataTypes.INTEGER,
      integer: DataTypes.BIGINT,
      number: DataTypes.DOUBLE,
      // The default collation compares UTF-8 bytes, which is by code point.
      text: DataTypes.TEXT,
      boolean: DataTypes.BOOLEAN,
      timestamp: DataTypes.BIGINT,
      json: DataTypes.TEXT,
    },
    async open() {
      const connections = await openSqlite(file, waits, (error) => {
        isTroubled ||= adviceOf(error) !== undefined;
        if (codeOf(error) === 'SQLITE_FULL') ballast.release();
      });
      const first = setTimeout(() => void ballast.fill(), firstFillMs).unref();
      return { ...connections, close: () => connections.close().finally(() => clearTimeout(first)) };
    },
    async checkHealth({ reader, write }) {
      await reader.sequelize.query('SELECT 1');
      if (!isTroubled) return ballast.fill();
      // A write that changes nothing: SQLite keeps this number for programs, and no version of ours sets it.
      await write(({ sequelize }) => sequelize.query('PRAGMA user_version = 0'));
      isTroubled = false;
      await ballast.fill();
    },
    look: () => lookAtSqlite(file, waits),
    ids: sqliteIds,
    copies: sqliteCopies(file),
    changeToken,
    sortsNullsFirst: true,
    errorKind,
    adviceFor: (error) => adviceOf(error) && `The database ${file} ${adviceOf(error)}`,
  };
}

const rowless =
  'INSERT INTO sqlite_sequence (name, seq) SELECT $1, 0 ' +
  'WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $1)';

/** AUTOINCREMENT keeps the highest id of each table in a table of its own, where it has one after the first row. */
const sqliteIds: NonNullable<SqlDialect['ids']> = {
  async last(executor, table) {
    const sql = 'SELECT seq FROM sqlite_sequence WHERE name = $1';
    const [row] = await runOn<{ seq: number }[]>(executor, QueryTypes.SELECT, sql, [table]);
    return Number(row?.seq ?? 0);
  },

  async reserve(executor, table, id) {
    await runOn(executor, QueryTypes.INSERT, rowless, [table]);
    const sql = 'UPDATE sqlite_sequence SET seq = MAX(seq, $2) WHERE name = $1';
    await runOn(executor, QueryTypes.BULKUPDATE, sql, [table, id]);
  },
};

/** SQLite counts the commits of other connections; that of the reader makes none itself. */
async function changeToken(reader: Executor): Promise<string> {
  const sql = 'PRAGMA data_version';
  const [row] = await runOn<[{ data_version: number }]>(reader, QueryTypes.SELECT, sql);
  return String(row.data_version);
}

function codeOf(error: unknown): string | undefined {
  const cause = (error as { original?: unknown }).original ?? error;
  return (cause as NodeJS.ErrnoException).code;
}

function errorKind(error: unknown): StoreErrorKind | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  return fileErrors.has(code) ? 'unavailable' : kinds[code];
}
