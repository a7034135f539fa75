import { toUSVString } from 'node:util';
import { type Column, type ColumnType, StoreError } from '@holdfast/plugin-api';
import type { Table } from './table.js';

/** A value as the database takes it. */
export type SqlValue = string | number | boolean | null;

type Encode = (value: unknown) => SqlValue | undefined;

const finite: Encode = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const integer: Encode = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined);
/** Databases keep text as UTF-8, which has no lone surrogates: what is returned has to be what is stored. */
const text: Encode = (value) => (typeof value === 'string' ? toUSVString(value) : undefined);
const boolean: Encode = (value) => (typeof value === 'boolean' ? value : undefined);

const written: Record<ColumnType, Encode> = {
  id: integer,
  integer,
  number: finite,
  text,
  boolean,
  timestamp: integer,
  json: encodeJson,
};

/** No row matches `2 ** 60` or 0.5 in an integer column, which is an answer and no mistake. */
const compared: Record<ColumnType, Encode> = {
  ...written,
  id: finite,
  integer: finite,
  timestamp: finite,
};

/** The value to write. @throws StoreError `invalid` when it is not of the column's type. */
export function encodeWritten(table: Table, name: string, column: Column, value: unknown): SqlValue {
  if (value === null && column.nullable) return null;
  return required(table, name, column, written[column.type](value));
}

/** The value to compare with; null is not one. @throws StoreError `invalid` when it is not of the column's type. */
export function encodeCompared(table: Table, name: string, column: Column, value: unknown): SqlValue {
  return required(table, name, column, compared[column.type](value));
}

/** Gives what the database returned the types of the columns, in place. */
export function decodeRow(
  table: Table,
  row: Record<string, unknown>,
  fromStored?: (text: string) => string,
): Record<string, unknown> {
  for (const name in row) {
    const column = table.columns.get(name);
    if (!column) continue;
    const value = decodeValue(column.type, row[name]);
    row[name] = fromStored && column.type === 'text' && value !== null ? fromStored(value as string) : value;
  }
  return row;
}

export function decodeValue(type: ColumnType, value: unknown): unknown {
  if (value === null) return null;
  if (type === 'text') return value;
  if (type === 'json') return JSON.parse(value as string);
  if (type === 'boolean') return Boolean(value);
  return Number(value);
}

function encodeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Circular, or a bigint in it.
    return undefined;
  }
}

function required(table: Table, name: string, column: Column, encoded: SqlValue | undefined): SqlValue {
  if (encoded !== undefined) return encoded;
  throw new StoreError('invalid', `A value for ${table.name}.${name} is not of its type ${column.type}.`);
}
