import { type Entity, type Query, StoreError } from '@holdfast/plugin-api';
import type { SqlDialect } from './dialect.js';
import { columnOf, comparableColumn, encodeCompared, idOf, type SqlValue, stored } from './values.js';

const ranges: Record<string, string> = { lt: '<', lte: '<=', gt: '>', gte: '>=' };

export const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;

/** With the table's name before it: SQLite takes an unknown "name" alone for a text. */
const qualified = ({ name: table }: Entity, name: string) => `${quote(table)}.${quote(name)}`;

/**
 * The values of one statement, and the conditions that name them. All are bound, as `$1`, `$2`, ...: sequelize would write
 * those of conditions into the text, where SQLite ends it at a NUL and sequelize takes their own `$` for places.
 */
export class Statement {
  readonly bind: SqlValue[] = [];

  constructor(
    private readonly entity: Entity,
    private readonly text: SqlDialect['text'],
  ) {}

  place(value: SqlValue): string {
    this.bind.push(stored(value, this.text));
    return `$${this.bind.length}`;
  }

  /** ` WHERE …`, or an empty text when all rows match. @throws StoreError `invalid` */
  where(where: object | undefined): string {
    const terms = Object.entries(where ?? {}).flatMap(([name, condition]) => this.terms(name, condition));
    return terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
  }

  private terms(name: string, condition: unknown): string[] {
    const { nullable } = comparableColumn(this.entity, name);
    const column = qualified(this.entity, name);
    const wrong = (what: string) =>
      new StoreError('invalid', `The condition on ${this.entity.name}.${name} has ${what}.`);
    if (condition === null) return [`${column} IS NULL`];
    if (typeof condition !== 'object') return [`${column} = ${this.compared(name, condition)}`];
    const terms = Object.entries(condition).map(([operator, operand]: [string, unknown]) => {
      const range = ranges[operator];
      if (range) return `${column} ${range} ${this.compared(name, operand)}`;
      if (operator === 'in') {
        if (!Array.isArray(operand)) throw wrong('an in that is no list');
        const places = operand.map((value) => this.compared(name, value));
        return places.length === 0 ? '1 = 0' : `${column} IN (${places.join(', ')})`;
      }
      if (operator !== 'not') throw wrong(`an unknown operator ${operator}`);
      if (operand === null) return `${column} IS NOT NULL`;
      const other = `${column} <> ${this.compared(name, operand)}`;
      return nullable ? `(${other} OR ${column} IS NULL)` : other;
    });
    if (terms.length === 0) throw wrong('an empty condition');
    return terms;
  }

  private compared(name: string, value: unknown): string {
    const encoded = encodeCompared(this.entity, name, value);
    const place = this.place(encoded);
    // A column of whole numbers would refuse it on some databases, where it has an answer: no row.
    return typeof encoded === 'number' && !Number.isSafeInteger(encoded) ? `(${place} + 0.0)` : place;
  }
}

const selections = new WeakMap<Entity, string>();

/** `SELECT … FROM …` of all columns. */
export function selectionOf(entity: Entity): string {
  const known = selections.get(entity);
  if (known) return known;
  const columns = Object.keys(entity.columns).map((name) => qualified(entity, name));
  const selection = `SELECT ${columns.join(', ')} FROM ${quote(entity.name)}`;
  selections.set(entity, selection);
  return selection;
}

/** @throws StoreError `invalid` */
export function orderOf(entity: Entity, { order = [] }: Query<Entity>, dialect: SqlDialect): string {
  const terms = order.map(([name, direction]: readonly [string, string]) => {
    const { nullable } = comparableColumn(entity, name);
    if (direction !== 'asc' && direction !== 'desc')
      throw new StoreError('invalid', `An order is asc or desc, not ${direction}.`);
    const nulls = direction === 'asc' ? ' NULLS FIRST' : ' NULLS LAST';
    const end = nullable && !dialect.sortsNullsFirst ? nulls : '';
    return `${qualified(entity, name)} ${direction.toUpperCase()}${end}`;
  });
  const id = idOf(entity);
  const last = order.at(-1)?.[1] === 'desc' ? 'DESC' : 'ASC';
  if (!order.some(([name]) => name === id)) terms.push(`${qualified(entity, id)} ${last}`);
  return ` ORDER BY ${terms.join(', ')}`;
}

/** @throws StoreError `invalid` */
export function pageOf({ limit, offset }: Query<Entity>): string {
  for (const count of [limit, offset]) {
    if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0))
      throw new StoreError('invalid', 'A limit and an offset are whole numbers from 0.');
  }
  if (limit === undefined && !offset) return '';
  return ` LIMIT ${limit ?? Number.MAX_SAFE_INTEGER} OFFSET ${offset ?? 0}`;
}

/** The rows that match are of several ranges of an index: they are sorted before the page is cut. */
export const comparesLists = ({ where = {} }: Query<Entity>): boolean =>
  Object.values(where).some(
    (condition) => typeof condition === 'object' && condition !== null && 'in' in condition,
  );

/** Sorts ids, which indexes contain, and reads only the rows of the page. */
export function pageByIds(
  entity: Entity,
  { where, order, page }: { where: string; order: string; page: string },
): string {
  const id = qualified(entity, idOf(entity));
  const ids = `SELECT ${id} FROM ${quote(entity.name)}${where}${order}${page}`;
  return `${selectionOf(entity)} WHERE ${id} IN (${ids})${order}`;
}

/** What an aggregate tells of each group: its columns, and the measures as `m0`, `m1`, ... @throws StoreError `invalid` */
export function termsOf(entity: Entity, groups: readonly string[], measures: readonly object[]) {
  const columns = groups.map((name) => {
    comparableColumn(entity, name);
    return qualified(entity, name);
  });
  const terms = [
    ...columns,
    ...measures.map((measure, index) => `${measureOf(entity, measure)} AS m${index}`),
  ];
  if (terms.length === 0) throw new StoreError('invalid', 'An aggregate needs a measure or a group.');
  return { terms: terms.join(', '), grouping: columns.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}` };
}

function measureOf(entity: Entity, measure: object): string {
  const [[kind = '', name = ''] = []] = Object.entries(measure);
  if (kind === 'count') return 'COUNT(*)';
  if (!['sum', 'max', 'min'].includes(kind)) throw new StoreError('invalid', `There is no measure ${kind}.`);
  if (!['text', 'json', 'boolean'].includes(columnOf(entity, name).type))
    return `${kind.toUpperCase()}(${qualified(entity, name)})`;
  throw new StoreError('invalid', `The column ${entity.name}.${name} holds no numbers.`);
}
