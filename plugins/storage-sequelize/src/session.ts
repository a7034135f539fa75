import { type Entity, type Query, StoreError } from '@holdfast/plugin-api';
import { QueryTypes } from 'sequelize';
import { Clauses, measureOf, orderOf, pageOf } from './clauses.js';
import type { Executor, SqlDialect } from './dialect.js';
import {
  columnOf,
  comparableColumn,
  decodeRow,
  decodeValue,
  encodeWritten,
  idOf,
  type SqlValue,
  stored,
} from './values.js';

type Row = Record<string, unknown>;

/** What its declaration leaves out. */
interface Generator {
  updateQuery(table: string, values: object, where: object, options: object): { query: string };
}

/** The port's, without its types. */
type Aggregation = { where?: object; groupBy?: readonly string[]; measures: Record<string, object> };

/** Every database takes that many values in one statement. */
const mostValues = 10_000;

/**
 * The reads and writes of the port on one executor, without their types. Rejects with what sequelize throws. Its models
 * would read a row in twice the time of its query interface, and bind no value of a condition.
 */
export class SqlSession {
  constructor(
    private readonly executor: Executor,
    private readonly dialect: SqlDialect,
  ) {}

  async find(entity: Entity, query: Query<Entity> = {}): Promise<Row[]> {
    const rows = await this.select(entity, query.where, {
      attributes: Object.keys(entity.columns),
      order: orderOf(entity, query.order ?? [], this.dialect),
      ...pageOf(query),
    });
    return rows.map((row) => decodeRow(entity, row, this.dialect.text));
  }

  async insert(entity: Entity, row: Row): Promise<Row> {
    const id = idOf(entity);
    const encoded = encodeInsert(entity, row);
    const values = Object.entries(encoded).map(([name, value]) => [name, stored(value, this.dialect.text)]);
    const options = { returning: [id], ...this.within };
    const [made] = (await this.tables.insert(
      null,
      entity.name,
      Object.fromEntries(values),
      options,
    )) as Row[];
    // The rows where the database returns them, else the id.
    const given = Array.isArray(made) ? made[0][id] : made;
    return decodeRow(entity, { [id]: given, ...encoded });
  }

  async update(entity: Entity, where: object, patch: object): Promise<number> {
    const clauses = new Clauses(entity, this.dialect.text);
    const values: Row = {};
    for (const [name, value] of Object.entries<unknown>(patch as Row)) {
      if (value === undefined) continue;
      if (columnOf(entity, name).type === 'id')
        throw new StoreError('invalid', `The id of ${entity.name} can't be changed.`);
      values[name] = clauses.place(encodeWritten(entity, name, value));
    }
    if (Object.keys(values).length === 0) {
      const [counted] = await this.aggregate(entity, { where, measures: { rows: { count: true } } });
      return counted?.rows as number;
    }
    // The interface's own method binds the values alone.
    const generator = this.tables.queryGenerator as Generator;
    const { query } = generator.updateQuery(entity.name, values, clauses.where(where), {});
    const options = { bind: clauses.bind, type: QueryTypes.BULKUPDATE, ...this.within } as const;
    return this.executor.sequelize.query(query, options);
  }

  async remove(entity: Entity, where: object): Promise<number> {
    const clauses = new Clauses(entity, this.dialect.text);
    const condition = clauses.where(where);
    const options = { bind: clauses.bind, type: QueryTypes.BULKDELETE, ...this.within };
    return (await this.tables.bulkDelete(entity.name, condition, options)) as unknown as number;
  }

  async aggregate(entity: Entity, query: Aggregation): Promise<Row[]> {
    const groups = query.groupBy ?? [];
    for (const name of groups) comparableColumn(entity, name);
    // The names of measures are the caller's, not SQL.
    const measures = Object.entries(query.measures);
    const terms = measures.map(([, measure], index) => [measureOf(entity, measure), `m${index}`]);
    const rows = await this.select(entity, query.where, {
      attributes: [...groups, ...terms],
      group: groups.length > 0 ? [...groups] : undefined,
    });
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
    for (let first = 0; first < rows.length; first += atOnce) {
      const clauses = new Clauses(entity, this.dialect.text);
      const place = (row: Row) => (name: string) =>
        [name, clauses.place(encodeWritten(entity, name, row[name]))] as const;
      const placed = rows
        .slice(first, first + atOnce)
        .map((row) => Object.fromEntries(names.map(place(row))));
      await this.tables.bulkInsert(entity.name, placed, { bind: clauses.bind, ...this.within });
    }
  }

  private get tables() {
    return this.executor.sequelize.getQueryInterface();
  }

  private async select(entity: Entity, where: object | undefined, options: object): Promise<Row[]> {
    const clauses = new Clauses(entity, this.dialect.text);
    const condition = { where: clauses.where(where), bind: clauses.bind, ...this.within };
    return (await this.tables.select(null, entity.name, { ...options, ...condition })) as Row[];
  }

  private get within() {
    return { transaction: this.executor.transaction };
  }
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
