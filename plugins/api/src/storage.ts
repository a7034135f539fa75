import type { Entity, InsertOf, RowOf } from './entity.js';
import type { Examination, SignsOfLife } from './plugin-life.js';
import type { SchemaVersion } from './schema.js';

/**
 * A value means equality, `null` means "is null"; all conditions of one clause hold together. `in` takes up to
 * 10,000 values and matches nothing when empty; `not` a value also matches null; a range never does.
 * `undefined` is refused as `invalid` wherever it stands: it would silently widen the clause.
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
   * Without an order the rows come by id, ascending. Nulls come first in ascending order; rows that are equal
   * in it come by id, in the direction of its last term.
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
 * The reads and writes that a transaction offers too. Every method rejects with a StoreError: `invalid` for
 * unknown columns and values of another type, `unavailable` after the storage was stopped.
 * Values come back as they went in: integers, booleans and JSON, never as text.
 */
export interface StorageSession {
  /** All matching rows, or an empty array. May be called again at any time. */
  find<E extends Entity>(entity: E, query?: Query<E>): Promise<RowOf<E>[]>;
  /** The stored row with its new id. Not idempotent. A taken unique key: StoreError `unique`, nothing written. */
  insert<E extends Entity>(entity: E, row: InsertOf<E>): Promise<RowOf<E>>;
  /**
   * The number of rows MATCHED by `where`, also when nothing changed by it: this count is the only lock that
   * the product uses, so it must be exact with any number of processes.
   */
  update<E extends Entity>(entity: E, where: Where<E>, patch: Partial<RowOf<E>>): Promise<number>;
  /** The number of rows removed. */
  remove<E extends Entity>(entity: E, where: Where<E>): Promise<number>;
  /** One row a group (one in all without `groupBy`); sums and maxima of nothing are null, counts are 0. */
  aggregate<E extends Entity, G extends keyof RowOf<E> & string = never, M extends string = string>(
    entity: E,
    query: Aggregate<E, G, M>,
  ): Promise<(Pick<RowOf<E>, G> & Record<M, number | null>)[]>;
}

/** What a move to another storage needs beside the port itself. The storage is started, and nobody else writes. */
export interface StorageTransfer {
  /** The highest id that was ever given to a row of the entity, 0 for none; also when the row is gone. */
  lastId(entity: Entity): Promise<number>;
  /** Writes rows with the ids that they have, all or none. A taken id or unique key: StoreError `unique`. */
  load<E extends Entity>(entity: E, rows: readonly RowOf<E>[]): Promise<void>;
  /** From now on the entity's new ids are higher than this one, and than all there. */
  reserveIds(entity: Entity, id: number): Promise<void>;
}

export interface StorageBackend extends StorageSession {
  /** Absent: nothing can be moved into or out of this storage. */
  readonly transfer?: StorageTransfer;
  /**
   * Runs `work` with all its reads and writes as one: all or nothing, serialisable for what it read.
   * Rejects with what `work` threw, or with StoreError `conflict` (retryable; the caller repeats the whole).
   * `work` may only use the session that it is given. Transactions don't nest. When a method of the session
   * rejects, the transaction is lost: it rejects with that error, also if `work` passes over it.
   * After its end the session refuses as `invalid`.
   */
  transaction<T>(work: (session: StorageSession) => Promise<T>): Promise<T>;
  /**
   * Tells whether anything may have changed: after each commit, by whichever process, it is another one than before,
   * as seen by one instance of the backend. May be called again at any time, and has to be cheaper than a read.
   * Absent: nobody can tell without reading.
   */
  mark?(): Promise<string>;
}

/** What a storage is started with. */
export interface StorageStart extends SignsOfLife {
  /** All versions of the service's schema, in order. A plugin goes by these, never by some of its own. */
  schema: readonly SchemaVersion[];
}

/** What a storage plugin gives: a storage, and its schema, which only the host sees to. */
export interface StoragePort extends StorageBackend {
  /**
   * Brings the store to the newest version of the schema, safely beside other instances: each version that is missing
   * once, in order and whole or not at all, with `stillWorking` called before each and at least every other second.
   * Rejects, changing nothing, when the store has a newer version; the error names both.
   */
  start(start: StorageStart): Promise<void>;
  /** The version that the store has. The host compares it after the start. */
  schemaVersion(): Promise<number>;
  /** Looks, without a `start` before it, at what `start` would find; makes and changes nothing. */
  examine?(schema: readonly SchemaVersion[]): Promise<Examination>;
}
