import { type Column, type Entity, StoreError } from '@holdfast/plugin-api';

export type Values = Record<string, unknown>;

const wrong = (entity: Entity, column: string, why: string) =>
  new StoreError('invalid', `${entity.name}.${column}: ${why}`);

const fits: Record<Column['type'], (value: unknown) => boolean> = {
  id: (value) => Number.isSafeInteger(value),
  integer: (value) => Number.isSafeInteger(value),
  timestamp: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  json: () => true,
};

/** A row or a patch as it will be stored: known columns, right types, defaults, JSON as JSON keeps it. */
export function checkRow(entity: Entity, given: object, { complete }: { complete: boolean }): Values {
  const result: Values = {};
  for (const name of Object.keys(given)) {
    if (!(name in entity.columns)) throw wrong(entity, name, 'no such column');
  }
  for (const [name, column] of Object.entries(entity.columns)) {
    const value = (given as Values)[name];
    if (value !== undefined) result[name] = stored(entity, name, value);
    else if (!complete || column.type === 'id') continue;
    else if (column.default !== undefined) result[name] = structuredClone(column.default);
    else if (column.nullable) result[name] = null;
    else throw wrong(entity, name, 'is missing');
  }
  return result;
}

function stored(entity: Entity, name: string, value: unknown): unknown {
  const column = entity.columns[name] as Column;
  if (value === null && column.nullable) return null;
  if (value === null || !fits[column.type](value)) throw wrong(entity, name, `does not take ${typeof value}`);
  return column.type === 'json' ? JSON.parse(JSON.stringify(value)) : value;
}

type Range = { in?: unknown[]; not?: unknown; lt?: never; lte?: never; gt?: never; gte?: never };

function holds(value: unknown, condition: unknown): boolean {
  if (condition === null || typeof condition !== 'object') return value === condition;
  const range = condition as Range;
  if (range.in) return range.in.includes(value);
  // As in SQL: `not x` says nothing about null, `not null` does.
  if ('not' in range) return value !== null && value !== range.not;
  if (value === null) return false;
  return (
    (range.lt === undefined || (value as never) < range.lt) &&
    (range.lte === undefined || (value as never) <= range.lte) &&
    (range.gt === undefined || (value as never) > range.gt) &&
    (range.gte === undefined || (value as never) >= range.gte)
  );
}

export function matches(entity: Entity, row: Values, where: object): boolean {
  return Object.entries(where).every(([name, condition]) => {
    const column = entity.columns[name];
    if (!column || column.type === 'json') throw wrong(entity, name, 'can not be asked for');
    return condition === undefined || holds(row[name], condition);
  });
}

const compare = (a: unknown, b: unknown): number => {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return (a as never) < (b as never) ? -1 : 1;
};

export function sortRows(
  entity: Entity,
  rows: Values[],
  order: readonly (readonly [string, string])[],
): Values[] {
  for (const [name] of order) if (!(name in entity.columns)) throw wrong(entity, name, 'no such column');
  const keys = [...order, ['id', 'asc'] as const];
  return rows.toSorted((a, b) => {
    for (const [name, direction] of keys) {
      const sign = compare(a[name], b[name]);
      if (sign !== 0) return direction === 'asc' ? sign : -sign;
    }
    return 0;
  });
}
