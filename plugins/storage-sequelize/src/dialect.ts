import type { ColumnType, Finding, StorageCopies, StoreErrorKind } from '@holdfast/plugin-api';
import type { DataType, QueryTypes, Sequelize, Transaction } from 'sequelize';

/** Where statements run: a database, and the transaction that is open there. */
export interface Executor {
  sequelize: Sequelize;
  transaction?: Transaction;
  /** Does in less time what `sequelize.query` would with this type. Default: that. */
  run?(type: QueryTypes, sql: string, bind: (string | number | boolean | null)[]): Promise<unknown>;
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
  /** Opens for a look only, making nothing: null for `connections` when there is no database yet. Default: `open`. */
  look?(): Promise<{ connections: Connections | null; findings: Finding[] }>;
  /** Differs after each commit of anyone, on the connection that reads. */
  changeToken?(reader: Executor): Promise<string>;
  /** What a move of a storage needs to know and to set of the ids that the database makes. */
  ids?: {
    /** The highest that was ever made, 0 for none. */
    last(executor: Executor, table: string): Promise<number>;
    /** New ones are higher than this one and all that are there. */
    reserve(executor: Executor, table: string, id: number): Promise<void>;
  };
  /** How the database is copied as a whole. Failures that are no StoreErrors become one. */
  copies?: StorageCopies;
  /** True where an INSERT tells the new id by RETURNING only. */
  returnsIds?: boolean;
  /** Tells what sequelize's own error classes don't; undefined leaves it to them. */
  errorKind(error: unknown): StoreErrorKind | undefined;
  /** A sentence for whoever set the database up; undefined leaves it to the general one. */
  adviceFor?(error: unknown): string | undefined;
  /** For databases that don't take every text: what stands for it. It has to keep the order by code point. */
  text?: { toStored(text: string): string; fromStored(text: string): string };
  /**
   * For databases whose unique indexes take no long texts: the term that stands for a quoted text column in them.
   * Such a column gets a hash index beside, to be found by.
   */
  uniqueText?(column: string): string;
  /** For databases whose other indexes take only the beginning of a text: how many characters of it. */
  indexedText?: number;
  /** True where null comes first in ascending order by itself: then the statements don't say so. */
  sortsNullsFirst?: boolean;
  /** True where changes of the schema are no part of transactions: those of a version that fails are undone then. */
  commitsSchemaChanges?: boolean;
  /** Runs the changes of the schema while no other process makes any. Default: each in a transaction of its own. */
  whileAlone?(connections: Connections, work: (connections: Connections) => Promise<void>): Promise<void>;
  /** The last step of the start, on the newest schema: rejects with a StoreError when the tables can't be used. */
  checkTables?(connections: Connections, tables: string[]): Promise<void>;
  /** Rejects when the database is of no use at the moment. Default: any statement. */
  checkHealth?(connections: Connections): Promise<void>;
}
