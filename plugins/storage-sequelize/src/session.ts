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
import { QueryTypes } from 'sequelize';
import type { Executor, SqlDialect } from './dialect.js';
import {
  aggregateStatement,
  insertStatement,
  type LooseAggregate,
  removeStatement,
  type Statement,
  selectStatement,
  updateStatement,
} from './statements.js';
import { columnOf, type Table, tableOf } from './table.js';
import { decodeRow, decodeValue, encodeWritten, type SqlValue } from './values.js';

type Row = Record<string, unknown>;

/** The reads and writes of the port as SQL on one executor. Rejects with what sequelize throws. */
export class SqlSession implements StorageSession {
  constructor(
    private readonly executor: Executor,
    private readonly dialect: SqlDialect,
  ) {}

  async find<E extends Entity>(entity: E, query: Query<E> = {}): Promise<RowOf<E>[]> {
    const table = tableOf(entity);
    const rows = await this.select(selectStatement(table, query, this.dialect));
    return rows.map((row) => this.decoded(table, row)) as RowOf<E>[];
  }

  async insert<E extends Entity>(entity: E, row: InsertOf<E>): Promise<RowOf<E>> {
    const table = tableOf(entity);
    const encoded = encodeInsert(table, row);
    const { sql, values } = insertStatement(table, encoded);
    const id = await this.dialect.insert(this.executor, sql, this.stored(values), table.id);
    return decodeRow(table, { [table.id]: id, ...Object.fromEntries(encoded) }) as RowOf<E>;
  }

  async update<E extends Entity>(entity: E, where: Where<E>, patch: Partial<RowOf<E>>): Promise<number> {
    const table = tableOf(entity);
    const statement = updateStatement(table, where, patch);
    if (statement) return this.change(statement, QueryTypes.BULKUPDATE);
    const [counted] = await this.aggregate(entity, { where, measures: { rows: { count: true } } });
    return counted?.rows ?? 0;
  }

  async remove<E extends Entity>(entity: E, where: Where<E>): Promise<number> {
    return this.change(removeStatement(tableOf(entity), where), QueryTypes.BULKDELETE);
  }

  async aggregate<E extends Entity, G extends keyof RowOf<E> & string = never, M extends string = string>(
    entity: E,
    query: Aggregate<E, G, M>,
  ): Promise<(Pick<RowOf<E>, G> & Record<M, number | null>)[]> {
    const table = tableOf(entity);
    const rows = await this.select(aggregateStatement(table, query as LooseAggregate));
    const measures = Object.keys(query.measures);
    return rows.map((row) => {
      const result: Row = {};
      for (const name of query.groupBy ?? []) result[name] = this.decoded(table, { [name]: row[name] })[name];
      measures.forEach((name, index) => {
        result[name] = decodeValue('number', row[`m${index}`]);
      });
      return result;
    }) as (Pick<RowOf<E>, G> & Record<M, number | null>)[];
  }

  private select({ sql, values }: Statement): Promise<Row[]> {
    const { sequelize, transaction } = this.executor;
    return sequelize.query<Row>(sql, {
      bind: this.stored(values),
      type: QueryTypes.SELECT,
      raw: true,
      transaction,
    });
  }

  private change(
    { sql, values }: Statement,
    type: QueryTypes.BULKUPDATE | QueryTypes.BULKDELETE,
  ): Promise<number> {
    const { sequelize, transaction } = this.executor;
    // Both types resolve to the number of rows matched; sequelize's declarations know only one of them.
    return sequelize.query(sql, {
      bind: this.stored(values),
      type: type as QueryTypes.BULKUPDATE,
      transaction,
    });
  }

  private stored(values: SqlValue[]): SqlValue[] {
    const { text } = this.dialect;
    if (!text) return values;
    return values.map((value) => (typeof value === 'string' ? text.toStored(value) : value));
  }

  private decoded(table: Table, row: Row): Row {
    return decodeRow(table, row, this.dialect.text?.fromStored);
  }
}

/** All columns but the id, defaults filled in. @throws StoreError `invalid` */
function encodeInsert(table: Table, row: object): Map<string, SqlValue> {
  const given = new Map(Object.entries(row).filter(([, value]) => value !== undefined));
  for (const name of given.keys()) {
    if (columnOf(table, name).type === 'id') {
      throw new StoreError('invalid', `The id of ${table.name} is made by the store; leave it out.`);
    }
  }
  const encoded = new Map<string, SqlValue>();
  for (const [name, column] of table.columns) {
    if (column.type === 'id') continue;
    const value = given.has(name)
      ? given.get(name)
      : (column.default ?? (column.nullable ? null : undefined));
    if (value === undefined)
      throw new StoreError('invalid', `A row of ${table.name} needs a value for ${name}.`);
    encoded.set(name, encodeWritten(table, name, column, value));
  }
  return encoded;
}
