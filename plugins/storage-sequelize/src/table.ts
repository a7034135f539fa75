import { type Column, type Entity, StoreError } from '@holdfast/plugin-api';

/** What the statements need of an entity, worked out once. */
export interface Table {
  name: string;
  quoted: string;
  /** Name of the column of type `id`. */
  id: string;
  columns: ReadonlyMap<string, Column>;
  /** `SELECT … FROM …` of all columns. */
  select: string;
  unique: Entity['unique'];
}

const tables = new WeakMap<Entity, Table>();

/** @throws StoreError `invalid` for an entity without a column of type `id`. */
export function tableOf(entity: Entity): Table {
  const known = tables.get(entity);
  if (known) return known;
  const columns = new Map(Object.entries(entity.columns));
  const id = [...columns].find(([, column]) => column.type === 'id')?.[0];
  if (id === undefined)
    throw new StoreError('invalid', `The entity ${entity.name} has no column of type id.`);
  const quoted = quote(entity.name);
  const select = `SELECT ${[...columns.keys()].map((name) => `${quoted}.${quote(name)}`).join(', ')} FROM ${quoted}`;
  const table: Table = { name: entity.name, quoted, id, columns, select, unique: entity.unique };
  tables.set(entity, table);
  return table;
}

/** @throws StoreError `invalid` for an unknown column. */
export function columnOf(table: Table, name: string): Column {
  const column = table.columns.get(name);
  if (!column) throw new StoreError('invalid', `The entity ${table.name} has no column ${name}.`);
  return column;
}

/** A column that a where clause, an order or a group can name: JSON values compare differently in each store. */
export function comparableColumn(table: Table, name: string): Column {
  const column = columnOf(table, name);
  if (column.type === 'json') {
    throw new StoreError('invalid', `The column ${table.name}.${name} holds JSON, which can't be compared.`);
  }
  return column;
}

/** A column as an expression. With the table's name before it: SQLite takes an unknown "name" alone for a text. */
export function qualified(table: Table, name: string): string {
  return `${table.quoted}.${quote(name)}`;
}

/** Databases cut longer names, PostgreSQL at 63 bytes. */
export function indexName(table: string, columns: readonly string[], unique: boolean): string {
  return `${table}_${columns.join('_')}_${unique ? 'key' : 'idx'}`.slice(0, 63);
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
