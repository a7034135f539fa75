import { StoreError } from '@holdfast/plugin-api';
import type { SqlDialect } from './dialect.js';
import { columnOf, comparableColumn, qualified, quote, type Table } from './table.js';
import { encodeWritten, type SqlValue } from './values.js';
import { Binds, whereClause } from './where.js';

export interface Statement {
  sql: string;
  values: SqlValue[];
}

/** A query of the storage port without its types. */
export interface LooseQuery {
  where?: object;
  order?: readonly (readonly [string, string])[];
  limit?: number;
  offset?: number;
}

type Sorting = Pick<SqlDialect, 'sortsNullsFirst'>;

export interface LooseAggregate {
  where?: object;
  groupBy?: readonly string[];
  measures: Record<string, object>;
}

export function selectStatement(table: Table, query: LooseQuery, sorting: Sorting): Statement {
  const binds = new Binds();
  const where = whereClause(table, query.where, binds);
  const order = orderClause(table, query.order ?? [], sorting);
  return { sql: table.select + where + order + page(query), values: binds.values };
}

export function insertStatement(table: Table, row: ReadonlyMap<string, SqlValue>): Statement {
  const binds = new Binds();
  const names = [...row.keys()].map(quote).join(', ');
  const values = [...row.values()].map((value) => binds.add(value)).join(', ');
  const sql =
    row.size === 0
      ? `INSERT INTO ${table.quoted} DEFAULT VALUES`
      : `INSERT INTO ${table.quoted} (${names}) VALUES (${values})`;
  return { sql, values: binds.values };
}

/** Of one or more rows that have the same columns. */
export function loadStatement(table: Table, rows: readonly ReadonlyMap<string, SqlValue>[]): Statement {
  const binds = new Binds();
  const names = [...table.columns.keys()].map(quote).join(', ');
  const tuples = rows.map((row) => `(${[...row.values()].map((value) => binds.add(value)).join(', ')})`);
  return {
    sql: `INSERT INTO ${table.quoted} (${names}) VALUES ${tuples.join(', ')}`,
    values: binds.values,
  };
}

/** Null when the patch holds nothing. */
export function updateStatement(table: Table, where: object, patch: object): Statement | null {
  const binds = new Binds();
  const assignments = Object.entries(patch)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const column = columnOf(table, name);
      if (column.type === 'id') throw new StoreError('invalid', `The id of ${table.name} can't be changed.`);
      return `${quote(name)} = ${binds.add(encodeWritten(table, name, column, value))}`;
    });
  if (assignments.length === 0) return null;
  const sql = `UPDATE ${table.quoted} SET ${assignments.join(', ')}${whereClause(table, where, binds)}`;
  return { sql, values: binds.values };
}

export function removeStatement(table: Table, where: object): Statement {
  const binds = new Binds();
  return { sql: `DELETE FROM ${table.quoted}${whereClause(table, where, binds)}`, values: binds.values };
}

/** Measures come back as `m0`, `m1`, ... in the order of `measures`: their names are the caller's, not SQL. */
export function aggregateStatement(table: Table, query: LooseAggregate): Statement {
  const binds = new Binds();
  const groups = (query.groupBy ?? []).map((name) => {
    comparableColumn(table, name);
    return qualified(table, name);
  });
  const measures = Object.values(query.measures).map(
    (measure, index) => `${term(table, measure)} AS m${index}`,
  );
  const fields = [...groups, ...measures];
  if (fields.length === 0) throw new StoreError('invalid', 'An aggregate needs a measure or a group.');
  const where = whereClause(table, query.where, binds);
  const grouping = groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')}`;
  return { sql: `SELECT ${fields.join(', ')} FROM ${table.quoted}${where}${grouping}`, values: binds.values };
}

function term(table: Table, measure: object): string {
  const [[kind, name] = []] = Object.entries(measure);
  if (kind === 'count') return 'COUNT(*)';
  if (kind !== 'sum' && kind !== 'max' && kind !== 'min') {
    throw new StoreError('invalid', `There is no measure ${kind}.`);
  }
  const { type } = columnOf(table, name);
  if (type === 'text' || type === 'json' || type === 'boolean') {
    throw new StoreError('invalid', `The column ${table.name}.${name} holds no numbers.`);
  }
  return `${kind.toUpperCase()}(${qualified(table, name)})`;
}

function orderClause(
  table: Table,
  order: readonly (readonly [string, string])[],
  { sortsNullsFirst = false }: Sorting,
): string {
  const terms = order.map(([name, direction]) => {
    const { nullable } = comparableColumn(table, name);
    return qualified(table, name) + sqlDirection(direction, nullable && !sortsNullsFirst);
  });
  if (!order.some(([name]) => name === table.id)) {
    terms.push(qualified(table, table.id) + sqlDirection(order.at(-1)?.[1] ?? 'asc', false));
  }
  return ` ORDER BY ${terms.join(', ')}`;
}

function sqlDirection(direction: string, withNulls: boolean): string {
  if (direction === 'asc') return withNulls ? ' ASC NULLS FIRST' : ' ASC';
  if (direction === 'desc') return withNulls ? ' DESC NULLS LAST' : ' DESC';
  throw new StoreError('invalid', `An order is asc or desc, not ${direction}.`);
}

function page({ limit, offset }: LooseQuery): string {
  for (const count of [limit, offset]) {
    if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0)) {
      throw new StoreError('invalid', 'A limit and an offset are whole numbers from 0.');
    }
  }
  if (limit === undefined && !offset) return '';
  return ` LIMIT ${limit ?? Number.MAX_SAFE_INTEGER} OFFSET ${offset ?? 0}`;
}
