import { toUSVString } from 'node:util';
import { type Column, type ColumnType, type Entity, StoreError } from '@holdfast/plugin-api';
import type { SqlDialect } from './dialect.js';

export type SqlValue = string | number | boolean | null;

type Encode = (value: unknown) => SqlValue | undefined;

const finite: Encode = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const integer: Encode = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined);

const written: Record<ColumnType, Encode> = {
  id: integer,
  integer,
  number: finite,
  // Databases keep text as UTF-8, which has no lone surrogates: what is returned has to be what is stored.
  text: (value) => (typeof value === 'string' ? toUSVString(value) : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  timestamp: integer,
  json: encodeJson,
};

/** No row matches `2 ** 60` or 0.5 in an integer column, which is an answer and no mistake. */
const compared: Record<ColumnType, Encode> = { ...written, id: finite, integer: finite, timestamp: finite };

/** @throws StoreError `invalid` for an unknown column */
export function columnOf({ name: table, columns }: Entity, name: string): Column {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (!column) throw new StoreError('invalid', `The entity ${table} has no column ${name}.`);
  return column;
}

/** @throws StoreError `invalid` for JSON too, whose values compare differently in each store */
export function comparableColumn(entity: Entity, name: string): Column {
  const column = columnOf(entity, name);
  if (column.type !== 'json') return column;
  throw new StoreError('invalid', `The column ${entity.name}.${name} holds JSON, which can't be compared.`);
}

/** @throws StoreError `invalid` for an entity without a column of type `id` */
export function idOf({ name: table, columns }: Entity): string {
  for (const name in columns) if (columns[name]?.type === 'id') return name;
  throw new StoreError('invalid', `The entity ${table} has no column of type id.`);
}

/** The value to write. @throws StoreError `invalid` when it is not of the column's type */
export function encodeWritten(entity: Entity, name: string, value: unknown): SqlValue {
  const { type, nullable } = columnOf(entity, name);
  return value === null && nullable ? null : required(entity, name, written[type](value));
}

/** The value to compare with; null is not one. @throws StoreError `invalid` when it is not of the column's type */
export const encodeCompared = (entity: Entity, name: string, value: unknown): SqlValue =>
  required(entity, name, compared[columnOf(entity, name).type](value));

/** Gives what the database returned the types of the columns, in place. */
export function decodeRow(entity: Entity, row: Record<string, unknown>, text?: SqlDialect['text']) {
  for (const name in row) {
    const { type } = columnOf(entity, name);
    const value = decodeValue(type, row[name]);
    row[name] = text && type === 'text' && value !== null ? text.fromStored(value as string) : value;
  }
  return row;
}

export function decodeValue(type: ColumnType, value: unknown): unknown {
  if (value === null || type === 'text') return value;
  if (type === 'json') return JSON.parse(value as string);
  return type === 'boolean' ? Boolean(value) : Number(value);
}

/** A value as the database takes it. */
export const stored = (value: SqlValue, text: SqlDialect['text']): SqlValue =>
  typeof value === 'string' && text ? text.toStored(value) : value;

function encodeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Circular, or a bigint in it.
    return undefined;
  }
}

function required(entity: Entity, name: string, encoded: SqlValue | undefined): SqlValue {
  if (encoded !== undefined) return encoded;
  const { type } = columnOf(entity, name);
  throw new StoreError('invalid', `A value for ${entity.name}.${name} is not of its type ${type}.`);
}
