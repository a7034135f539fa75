import { type Entity, type Query, StoreError } from '@holdfast/plugin-api';
import { QueryTypes } from 'sequelize';
import type { Executor, SqlDialect } from './dialect.js';
import {
  comparesLists,
  orderOf,
  pageByIds,
  pageOf,
  quote,
  Statement,
  selectionOf,
  termsOf,
} from './statement.js';
import { columnOf, decodeRow, decodeValue, encodeWritten, idOf, type SqlValue } from './values.js';

type Row = Record<string, unknown>;

/** The port's, without its types. */
type Aggregation = { where?: object; groupBy?: readonly string[]; measures: Record<string, object> };

/** Every database takes that many values in one statement. */
const mostValues = 10_000;

/**
 * The reads and writes of the port on one executor, without their types, as SQL of our own:
 * docs/contributing/decisions/0008-own-statements.md. Rejects with what sequelize throws.
 */
export class SqlSession {
  constructor(
    private readonly executor: Executor,
    private readonly dialect: SqlDialect,
  ) {}

  async find(entity: Entity, query: Query<Entity> = {}): Promise<Row[]> {
    const statement = this.statement(entity);
    const where = statement.where(query.where);
    const order = orderOf(entity, query, this.dialect);
    const page = pageOf(query);
    const isByIds = page !== '' && comparesLists(query);
    const plain = () => selectionOf(entity) + where + order + page;
    const sql = isByIds ? pageByIds(entity, { where, order, page }) : plain();
    const rows = await this.run<Row[]>(QueryTypes.SELECT, sql, statement);
    return rows.map((row) => decodeRow(entity, row, this.dialect.text));
  }

  async insert(entity: Entity, row: Row): Promise<Row> {
    const id = idOf(entity);
    const encoded = encodeInsert(entity, row);
    const statement = this.statement(entity);
    const names = Object.keys(encoded).map(quote).join(', ');
    const places = Object.values(encoded).map((value) => statement.place(value));
    const values = names === '' ? 'DEFAULT VALUES' : `(${names}) VALUES (${places.join(', ')})`;
    const end = this.dialect.returnsIds ? ` RETURNING ${quote(id)}` : '';
    const sql = `INSERT INTO ${quote(entity.name)} ${values}${end}`;
    // The rows where the database returns them, else the id.
    const [made] = await this.run<[unknown]>(QueryTypes.INSERT, sql, statement);
    return decodeRow(entity, { [id]: Array.isArray(made) ? made[0][id] : made, ...encoded });
  }

  async update(entity: Entity, where: object, patch: object): Promise<number> {
    const statement = this.statement(entity);
    const assignments = Object.entries<unknown>(patch as Row).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (columnOf(entity, name).type === 'id')
        throw new StoreError('invalid', `The id of ${entity.name} can't be changed.`);
      return `${quote(name)} = ${statement.place(encodeWritten(entity, name, value))}`;
    });
    if (assignments.length === 0) {
      const [counted] = await this.aggregate(entity, { where, measures: { rows: { count: true } } });
      return counted?.rows as number;
    }
    const sql = `UPDATE ${quote(entity.name)} SET ${assignments.join(', ')}${statement.where(where)}`;
    return this.run(QueryTypes.BULKUPDATE, sql, statement);
  }

  async remove(entity: Entity, where: object): Promise<number> {
    const statement = this.statement(entity);
    const sql = `DELETE FROM ${quote(entity.name)}${statement.where(where)}`;
    return this.run(QueryTypes.BULKDELETE, sql, statement);
  }

  async aggregate(entity: Entity, query: Aggregation): Promise<Row[]> {
    const groups = query.groupBy ?? [];
    // The names of measures are the caller's, not SQL.
    const measures = Object.entries(query.measures);
    const { terms, grouping } = termsOf(entity, groups, Object.values(query.measures));
    const statement = this.statement(entity);
    const sql = `SELECT ${terms} FROM ${quote(entity.name)}${statement.where(query.where)}${grouping}`;
    const rows = await this.run<Row[]>(QueryTypes.SELECT, sql, statement);
    return rows.map((row) => {
      const numbers = measures.map(([name], index) => [name, decodeValue('number', row[`m${index}`])]);
      const own = Object.fromEntries(groups.map((name) => [name, row[name]]));
      return { ...decodeRow(entity, own, this.dialect.text), ...Object.fromEntries(numbers) };
    });
  }

  /** Writes rows with their ids. */
  async load(entity: Entity, rows: readonly Row[]): Promise<void> {
    const names = Object.keys(entity.columns);
    const atOnce = Math.max(1, Math.floor(mostValues / names.length));
    const into = `INSERT INTO ${quote(entity.name)} (${names.map(quote).join(', ')}) VALUES `;
    for (let first = 0; first < rows.length; first += atOnce) {
      const statement = this.statement(entity);
      const place = (row: Row) => (name: string) => statement.place(encodeWritten(entity, name, row[name]));
      const tuples = rows.slice(first, first + atOnce).map((row) => `(${names.map(place(row)).join(', ')})`);
      await this.run(QueryTypes.INSERT, into + tuples.join(', '), statement);
    }
  }

  private statement(entity: Entity): Statement {
    return new Statement(entity, this.dialect.text);
  }

  private run<T>(type: QueryTypes, sql: string, { bind }: Statement): Promise<T> {
    return runOn(this.executor, type, sql, bind);
  }
}

/** Resolves to what sequelize makes of this type of statement. */
export function runOn<T>(
  executor: Executor,
  type: QueryTypes,
  sql: string,
  bind: SqlValue[] = [],
): Promise<T> {
  const { sequelize, transaction, run } = executor;
  const result = run?.(type, sql, bind) ?? sequelize.query(sql, { bind, type, raw: true, transaction });
  // What each type resolves to is declared for some of them only.
  return result as Promise<T>;
}

/** All columns but the id, defaults filled in. @throws StoreError `invalid` */
function encodeInsert(entity: Entity, row: Row): Record<string, SqlValue> {
  for (const [name, value] of Object.entries(row)) {
    if (value === undefined || columnOf(entity, name).type !== 'id') continue;
    throw new StoreError('invalid', `The id of ${entity.name} is made by the store; leave it out.`);
  }
  const encoded: Record<string, SqlValue> = {};
  for (const [name, column] of Object.entries(entity.columns)) {
    if (column.type === 'id') continue;
    const absent = column.default ?? (column.nullable ? null : undefined);
    const value = row[name] === undefined ? absent : row[name];
    if (value === undefined)
      throw new StoreError('invalid', `A row of ${entity.name} needs a value for ${name}.`);
    encoded[name] = encodeWritten(entity, name, value);
  }
  return encoded;
}
