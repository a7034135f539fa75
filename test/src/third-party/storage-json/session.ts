import {
  type Aggregate,
  type Entity,
  type InsertOf,
  type Query,
  type RowOf,
  type StorageSession,
  StoreError,
  type Where,
} from '@holdfast/plugin-api';
import { aggregateOf, pageOf, rowsOf, testOf } from './queries.js';
import type { Row, Table, Tables } from './store.js';
import { columnOf, written, wrong } from './values.js';

/** Reads and writes on one state of the tables. After a refusal, or when it is closed, it refuses all. */
export class Session implements StorageSession {
  #refusal: unknown;
  #closed = false;

  constructor(private readonly tables: () => Tables) {}

  find<E extends Entity>(entity: E, query: Query<E> = {}): Promise<RowOf<E>[]> {
    return this.#guard(() => {
      const matching = rowsOf(this.#table(entity)).filter(testOf(entity, query.where));
      return pageOf(entity, matching, query) as RowOf<E>[];
    });
  }

  insert<E extends Entity>(entity: E, row: InsertOf<E>): Promise<RowOf<E>> {
    return this.#guard(() => {
      const table = this.#table(entity);
      const full: Row = {};
      for (const name of Object.keys(row))
        if (columnOf(entity, name).type === 'id') throw wrong('The id is made by the store.');
      for (const [name, column] of Object.entries(entity.columns)) {
        const given = (row as Row)[name];
        if (column.type === 'id') full[name] = table.next;
        else full[name] = written(entity, name, given ?? column.default ?? (column.nullable ? null : given));
      }
      keep(entity, table, [full]);
      table.next += 1;
      return JSON.parse(JSON.stringify(full));
    });
  }

  update<E extends Entity>(entity: E, where: Where<E>, patch: Partial<RowOf<E>>): Promise<number> {
    return this.#guard(() => {
      const table = this.#table(entity);
      const changes: Row = {};
      for (const [name, value] of Object.entries(patch)) {
        if (columnOf(entity, name).type === 'id') throw wrong('The id can not be changed.');
        if (value !== undefined) changes[name] = written(entity, name, value);
      }
      const rows = rowsOf(table).filter(testOf(entity, where));
      keep(
        entity,
        table,
        rows.map((row) => ({ ...row, ...changes })),
      );
      return rows.length;
    });
  }

  remove<E extends Entity>(entity: E, where: Where<E>): Promise<number> {
    return this.#guard(() => {
      const table = this.#table(entity);
      const rows = rowsOf(table).filter(testOf(entity, where));
      for (const { id } of rows) table.rows.delete(id as number);
      return rows.length;
    });
  }

  aggregate<E extends Entity, G extends keyof RowOf<E> & string = never, M extends string = string>(
    entity: E,
    query: Aggregate<E, G, M>,
  ): Promise<(Pick<RowOf<E>, G> & Record<M, number | null>)[]> {
    return this.#guard(() => {
      const matching = rowsOf(this.#table(entity)).filter(testOf(entity, query.where));
      return aggregateOf(entity, matching, query) as (Pick<RowOf<E>, G> & Record<M, number | null>)[];
    });
  }

  close(): void {
    this.#closed = true;
  }

  /** Throws the first refusal, also when the work passed over it. */
  check(): void {
    if (this.#refusal) throw this.#refusal;
  }

  #table({ name }: Entity): Table {
    const table = this.tables().get(name);
    if (!table) throw wrong(`There is no entity ${name}.`);
    return table;
  }

  async #guard<T>(operation: () => T): Promise<T> {
    if (this.#closed) throw wrong('The transaction of this session has ended.');
    this.check();
    try {
      return operation();
    } catch (error) {
      this.#refusal = error;
      throw error;
    }
  }
}

/** Puts the rows into the table, all or none. */
export function keep(entity: Entity, table: Table, rows: Row[]): void {
  const later = new Map(table.rows);
  for (const row of rows) later.set(row.id as number, JSON.stringify(row));
  for (const columns of entity.unique) {
    const keys = [...later.values()]
      .map((text) => columns.map((name) => JSON.parse(text)[name]))
      .filter((values) => !values.includes(null))
      .map((values) => JSON.stringify(values));
    if (new Set(keys).size === keys.length) continue;
    const key = columns.join(',');
    throw new StoreError('unique', `The key ${key} of ${entity.name} is taken.`, { key });
  }
  table.rows = later;
}
