import { toUSVString } from 'node:util';
import { type Column, type Entity, StoreError } from '@holdfast/plugin-api';

export const wrong = (what: string) => new StoreError('invalid', what);

export function columnOf(entity: Entity, name: string): Column {
  const column = Object.hasOwn(entity.columns, name) ? entity.columns[name] : undefined;
  if (!column) throw wrong(`${entity.name} has no column ${name}.`);
  return column;
}

export function comparableColumn(entity: Entity, name: string): Column {
  const column = columnOf(entity, name);
  if (column.type === 'json') throw wrong(`${entity.name}.${name} holds JSON.`);
  return column;
}

/** The value as it is kept. */
export function written(entity: Entity, name: string, value: unknown): unknown {
  const column = columnOf(entity, name);
  if (value === null && column.nullable) return null;
  const integer = column.type === 'integer' || column.type === 'timestamp';
  if (integer && Number.isSafeInteger(value)) return value;
  if (column.type === 'json' && JSON.stringify(value) !== undefined) return value;
  if (!integer && column.type !== 'json' && value !== null) return compared(entity, name, value);
  throw wrong(`A value of ${entity.name}.${name} is not of its type.`);
}

/** A value to compare with; numbers of any kind, as no row matches 0.5 in a column of integers. */
export function compared(entity: Entity, name: string, value: unknown): unknown {
  const { type } = comparableColumn(entity, name);
  if (type === 'text' && typeof value === 'string') return toUSVString(value);
  if (type === 'boolean' && typeof value === 'boolean') return value;
  const numeric = type !== 'text' && type !== 'boolean';
  if (numeric && typeof value === 'number' && Number.isFinite(value)) return value;
  throw wrong(`A value of ${entity.name}.${name} is not of its type.`);
}

/** Null first; text by code point, which is the order of its UTF-8 bytes. */
export function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}
