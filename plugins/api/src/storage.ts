import type { Entity, InsertOf, RowOf } from './entity.js';
import type { Examination, SignsOfLife } from './plugin-life.js';
import type { SchemaVersion } from './schema.js';

/**
 * A value means equality, and `null` means "is null". All conditions of a clause must hold. `in` takes up to 10,000
 * values and matches nothing if empty. `not` with a value also matches null; a range never does. `undefined` is
 * rejected as `invalid` everywhere: it would silently widen the clause.
 */
export type Condition<T> =
  | T
  | null
  | { readonly in: readonly NonNullable<T>[] }
  | { readonly not: NonNullable<T> | null }
  | { readonly lt?: T; readonly lte?: T; readonly gt?: T; readonly gte?: T };

export type Where<E extends Entity> = { readonly [K in keyof RowOf<E>]?: Condition<RowOf<E>[K]> };
export type Order<E extends Entity> = readonly (readonly [keyof RowOf<E> & string, 'asc' | 'desc'])[];

export interface Query<E extends Entity> {
  where?: Where<E>;
  /**
   * Default: by id, ascending. Nulls come first in ascending order. Equal rows are ordered by id, in the direction of
   * the last term.
   */
  order?: Order<E>;
  limit?: number;
  offset?: number;
}

export type Measure<E extends Entity> =
  | { count: true }
  | { sum: keyof RowOf<E> & string }
  | { max: keyof RowOf<E> & string }
  | { min: keyof RowOf<E> & string };

export interface Aggregate<E extends Entity, G extends keyof RowOf<E> & string, M extends string> {
  where?: Where<E>;
  groupBy?: readonly G[];
  measures: Record<M, Measure<E>>;
}

/**
 * Reads and writes, also inside transactions. Every method rejects with a StoreError: `invalid` for unknown columns
 * and values of the wrong type, `unavailable` after the storage was stopped. Values keep their type: integers, booleans
 * and JSON never come back as text.
 */
export interface StorageSession {
  /** All matching rows, or an empty array. Safe to repeat. */
  find<E extends Entity>(entity: E, query?: Query<E>): Promise<RowOf<E>[]>;
  /**
   * The stored row with its new id. Not idempotent. A duplicate unique key rejects with `unique` and writes nothing.
   */
  insert<E extends Entity>(entity: E, row: InsertOf<E>): Promise<RowOf<E>>;
  /**
   * The number of rows MATCHED by `where`, even if their values stay the same. The product uses this count as its
   * only lock, so it must be exact with any number of processes.
   */
  update<E extends Entity>(entity: E, where: Where<E>, patch: Partial<RowOf<E>>): Promise<number>;
  /** The number of rows removed. */
  remove<E extends Entity>(entity: E, where: Where<E>): Promise<number>;
  /**
   * One row per group (one in total without `groupBy`). Without values, sums, maxima and minima are null and counts
   * are 0.
   */
  aggregate<E extends Entity, G extends keyof RowOf<E> & string = never, M extends string = string>(
    entity: E,
    query: Aggregate<E, G, M>,
  ): Promise<(Pick<RowOf<E>, G> & Record<M, number | null>)[]>;
}

/** What a move to another storage needs in addition to the port. The storage is started and has no other writers. */
export interface StorageTransfer {
  /** The highest id ever assigned to a row of the entity, even if that row was deleted; 0 if there was none. */
  lastId(entity: Entity): Promise<number>;
  /** Writes rows with their existing ids, all or none. A duplicate id or unique key rejects with `unique`. */
  load<E extends Entity>(entity: E, rows: readonly RowOf<E>[]): Promise<void>;
  /** Makes all future ids of the entity higher than this one and than all existing ones. */
  reserveIds(entity: Entity, id: number): Promise<void>;
}

/** Copies of everything that the storage holds, in files of its own form. */
export interface StorageCopies {
  /** Names the form, for example `sqlite`: only a storage with the same one can take a copy up. */
  readonly form: string;
  /** How many bytes `write` needs at most. */
  size(): Promise<number>;
  /**
   * Writes everything that was committed at one moment to a new file (mode 600), while others read and change the
   * storage. Rejects with StoreError `invalid` if the file exists or a program is missing, with a sentence that says
   * what to do. After a failure, or when `signal` is aborted, no file remains.
   */
  write(file: string, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * Fills an empty storage from such a file, all or nothing. Called instead of `start`, by the only user of the
   * storage. Rejects with StoreError `conflict` if the storage is not empty, and with `invalid` for another file.
   */
  putBack(file: string): Promise<void>;
}

export interface StorageBackend extends StorageSession {
  /** If absent, the service can't make copies of itself. */
  readonly copies?: StorageCopies;
  /** If absent, nothing can be moved into or out of this storage. */
  readonly transfer?: StorageTransfer;
  /**
   * Runs `work` as one transaction: all or nothing, serialisable for what it read. Rejects with what `work` threw, or
   * with StoreError `conflict` (retryable: the caller repeats the whole). `work` may use only the given session.
   * Transactions don't nest. If a method of the session rejects, the transaction rejects with that error, even if
   * `work` catches it. After its end, the session rejects with `invalid`.
   */
  transaction<T>(work: (session: StorageSession) => Promise<T>): Promise<T>;
  /**
   * Shows whether anything may have changed: the value differs after each commit of any process, as seen by one
   * instance of the backend. Safe to repeat, and must be cheaper than a read. If absent, only reading can tell.
   */
  changeToken?(): Promise<string>;
}

/** The arguments of `StoragePort.start`. */
export interface StorageStart extends SignsOfLife {
  /** All versions of the service's schema, in order. A plugin uses these, never its own. */
  schema: readonly SchemaVersion[];
}

/** What a storage plugin provides: a storage, and its schema, which only the host manages. */
export interface StoragePort extends StorageBackend {
  /**
   * Migrates the store to the newest schema version, safely beside other instances: applies each missing version
   * once, in order and atomically, and calls `stillWorking` before each one and at least every two seconds. If the
   * store has a newer version, it rejects without changes, and the error names both versions.
   */
  start(start: StorageStart): Promise<void>;
  /** The stored schema version. The host checks it after the start. */
  schemaVersion(): Promise<number>;
  /** Checks, without a prior `start`, what `start` would find; creates and changes nothing. */
  examine?(schema: readonly SchemaVersion[]): Promise<Examination>;
}
