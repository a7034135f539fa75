import type { StoreErrorKind } from '@holdfast/core/plugin';
import { DataTypes, type Executor, QueryTypes, type SqlDialect } from '@holdfast/storage-sequelize';
import { openSqlite, type SqliteWaits } from './sqlite-connections.js';
import { sqliteIds } from './sqlite-ids.js';
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

const defaultWaits: SqliteWaits = { busyTimeoutMs: 5_000, patienceMs: 10_000 };

export function sqliteDialect(file: string, waits = defaultWaits): SqlDialect {
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
    open: () => openSqlite(file, waits),
    look: () => lookAtSqlite(file, waits),
    ids: sqliteIds,
    insert,
    errorKind,
  };
}

async function insert({ sequelize }: Executor, sql: string, values: unknown[]): Promise<number> {
  const [id] = await sequelize.query(sql, { bind: values, type: QueryTypes.INSERT });
  return id;
}

function errorKind(error: unknown): StoreErrorKind | undefined {
  const cause = (error as { original?: unknown }).original ?? error;
  const { code } = cause as NodeJS.ErrnoException;
  if (code === undefined) return undefined;
  return fileErrors.has(code) ? 'unavailable' : kinds[code];
}
