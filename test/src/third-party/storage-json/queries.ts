import type { Entity } from '@holdfast/plugin-api';
import type { Row, Table } from './store.js';
import { columnOf, comparableColumn, compare, compared, wrong } from './values.js';

type Test = (row: Row) => boolean;

const ranges: Record<string, (order: number) => boolean> = {
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

export const rowsOf = (table: Table): Row[] => [...table.rows.values()].map((text) => JSON.parse(text));

/** What a row has to pass to match `where`. */
export function testOf(entity: Entity, where: object = {}): Test {
  const tests = Object.entries(where).flatMap(([name, condition]) => {
    comparableColumn(entity, name);
    if (condition === null) return [(row: Row) => row[name] === null];
    if (typeof condition !== 'object') return [equals(name, compared(entity, name, condition))];
    const operations = Object.entries(condition);
    if (operations.length === 0) throw wrong(`The condition on ${name} is empty.`);
    return operations.map(([operator, operand]) => operation(entity, name, [operator, operand]));
  });
  return (row) => tests.every((test) => test(row));
}

const equals =
  (name: string, value: unknown): Test =>
  (row) =>
    row[name] === value;

function operation(entity: Entity, name: string, [operator, operand]: [string, unknown]): Test {
  if (operator === 'in') {
    if (!Array.isArray(operand)) throw wrong(`The condition on ${name} has an in that is no list.`);
    const values = new Set(operand.map((value) => compared(entity, name, value)));
    return (row) => values.has(row[name]);
  }
  if (operator === 'not') {
    const value = operand === null ? null : compared(entity, name, operand);
    return (row) => row[name] !== value;
  }
  const fits = ranges[operator];
  if (!fits) throw wrong(`The condition on ${name} has the operator ${operator}.`);
  const bound = compared(entity, name, operand);
  return (row) => row[name] !== null && fits(compare(row[name], bound));
}

interface Page {
  order?: readonly (readonly [string, string])[];
  limit?: number;
  offset?: number;
}

export function pageOf(entity: Entity, rows: Row[], { order = [], limit, offset = 0 }: Page): Row[] {
  for (const [name, direction] of order) {
    comparableColumn(entity, name);
    if (direction !== 'asc' && direction !== 'desc') throw wrong(`An order is asc or desc.`);
  }
  for (const count of [limit ?? 0, offset])
    if (!Number.isSafeInteger(count) || count < 0) throw wrong('A limit and an offset are whole numbers.');
  const terms = [...order, ['id', order.at(-1)?.[1] ?? 'asc'] as const];
  rows.sort((a, b) => {
    for (const [name, direction] of terms) {
      const result = compare(a[name], b[name]);
      if (result !== 0) return direction === 'asc' ? result : -result;
    }
    return 0;
  });
  return rows.slice(offset, limit === undefined ? undefined : offset + limit);
}

interface Grouping {
  groupBy?: readonly string[];
  measures: Record<string, object>;
}

export function aggregateOf(entity: Entity, rows: Row[], { groupBy = [], measures }: Grouping): Row[] {
  for (const name of groupBy) comparableColumn(entity, name);
  const groups = new Map<string, Row[]>(groupBy.length === 0 ? [['[]', []]] : []);
  for (const row of rows) {
    const key = JSON.stringify(groupBy.map((name) => row[name]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((members) => {
    const result: Row = {};
    for (const name of groupBy) result[name] = members[0]?.[name];
    for (const [name, measure] of Object.entries(measures)) result[name] = measured(entity, members, measure);
    return result;
  });
}

function measured(entity: Entity, rows: Row[], measure: object): number | null {
  const [[kind, name] = ['', '']] = Object.entries(measure);
  if (kind === 'count') return rows.length;
  const { type } = columnOf(entity, name);
  if (type === 'text' || type === 'json' || type === 'boolean') throw wrong(`${name} holds no numbers.`);
  const values = rows.map((row) => row[name]).filter((value) => value !== null) as number[];
  if (values.length === 0) return null;
  if (kind === 'sum') return values.reduce((sum, value) => sum + value, 0);
  if (kind === 'max') return Math.max(...values);
  if (kind === 'min') return Math.min(...values);
  throw wrong(`There is no measure ${kind}.`);
}
