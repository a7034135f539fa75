import type { ColumnType, StoreErrorKind } from '@holdfast/core/plugin';
import type { DataType, Sequelize, Transaction } from 'sequelize';

/** Where statements run: a database, and the transaction of sequelize's when that is how the dialect does them. */
export interface Executor {
  sequelize: Sequelize;
  transaction?: Transaction;
}

/** The open connections of one storage. */
export interface Connections {
  /** Runs single reads. They see everything that was committed before. */
  reader: Executor;
  /** Lends what may run one writing statement, committed when it ends. */
  write<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
  /** Commits when `work` resolves, rolls back when it rejects. Serialisable for what `work` read. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Everything that differs between SQL databases. Identifiers are quoted by `"`, values bound as `$1`, `$2`, ... */
export interface SqlDialect {
  /** Names the database in messages, without secrets: a file, or host and database name. */
  target: string;
  /** `text` has to compare by code point, `id` has to be one that the database makes and never uses twice. */
  columnTypes: Record<ColumnType, DataType>;
  open(): Promise<Connections>;
  /** Runs an INSERT with one row and tells the new row's id. */
  insert(executor: Executor, sql: string, values: unknown[]): Promise<number>;
  /** Tells what sequelize's own error classes don't; undefined leaves it to them. */
  errorKind(error: unknown): StoreErrorKind | undefined;
}
