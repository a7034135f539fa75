import { type Entity, type Query, StoreError } from '@holdfast/plugin-api';
import { col, fn, literal, Op, type OrderItem, type WhereOptions } from 'sequelize';
import type { SqlDialect } from './dialect.js';
import { columnOf, comparableColumn, encodeCompared, idOf, type SqlValue, stored } from './values.js';

const ranges: Record<string, symbol> = { lt: Op.lt, lte: Op.lte, gt: Op.gt, gte: Op.gte };

/**
 * The values of one statement, and the parts of it that name them. All are bound, as `$1`, `$2`, ...: sequelize would write
 * those of conditions into the text, where SQLite ends it at a NUL and sequelize takes their own `$` for places.
 */
export class Clauses {
  readonly bind: SqlValue[] = [];

  constructor(
    private readonly entity: Entity,
    private readonly text: SqlDialect['text'],
  ) {}

  place(value: SqlValue) {
    return literal(this.add(value));
  }

  /** @throws StoreError `invalid` */
  where(where: object | undefined): WhereOptions {
    const terms = Object.entries(where ?? {}).flatMap(([name, condition]) => {
      const { nullable } = comparableColumn(this.entity, name);
      return this.terms(name, condition, nullable).map((term) => ({ [name]: term }));
    });
    return { [Op.and]: terms };
  }

  private terms(name: string, condition: unknown, nullable: boolean): object[] {
    const wrong = (what: string) =>
      new StoreError('invalid', `The condition on ${this.entity.name}.${name} has ${what}.`);
    if (condition === null) return [{ [Op.is]: null }];
    if (typeof condition !== 'object') return [{ [Op.eq]: this.compared(name, condition) }];
    const terms = Object.entries(condition).map(([operator, operand]: [string, unknown]) => {
      const range = ranges[operator];
      if (range) return { [range]: this.compared(name, operand) };
      if (operator === 'in') {
        if (!Array.isArray(operand)) throw wrong('an in that is no list');
        const places = operand.map((value) => this.compared(name, value).val);
        return { [Op.in]: places.length === 0 ? [] : literal(`(${places.join(', ')})`) };
      }
      if (operator !== 'not') throw wrong(`an unknown operator ${operator}`);
      if (operand === null) return { [Op.ne]: null };
      const other = { [Op.ne]: this.compared(name, operand) };
      return nullable ? { [Op.or]: [other, { [Op.is]: null }] } : other;
    });
    if (terms.length === 0) throw wrong('an empty condition');
    return terms;
  }

  private compared(name: string, value: unknown) {
    const encoded = encodeCompared(this.entity, name, value);
    const place = this.add(encoded);
    // A column of whole numbers would refuse it on some databases, where it has an answer: no row.
    const isOther = typeof encoded === 'number' && !Number.isSafeInteger(encoded);
    return literal(isOther ? `(${place} + 0.0)` : place);
  }

  private add(value: SqlValue): string {
    this.bind.push(stored(value, this.text));
    return `$${this.bind.length}`;
  }
}

/** @throws StoreError `invalid` */
export function orderOf(entity: Entity, order: readonly (readonly [string, string])[], dialect: SqlDialect) {
  const terms = order.map(([name, direction]): OrderItem => {
    const { nullable } = comparableColumn(entity, name);
    if (direction !== 'asc' && direction !== 'desc') {
      throw new StoreError('invalid', `An order is asc or desc, not ${direction}.`);
    }
    const nulls = direction === 'asc' ? ' NULLS FIRST' : ' NULLS LAST';
    return [name, direction.toUpperCase() + (nullable && !dialect.sortsNullsFirst ? nulls : '')];
  });
  const id = idOf(entity);
  if (!order.some(([name]) => name === id)) terms.push([id, order.at(-1)?.[1]?.toUpperCase() ?? 'ASC']);
  return terms;
}

/** @throws StoreError `invalid` */
export function pageOf({ limit, offset }: Query<Entity>) {
  for (const count of [limit, offset]) {
    if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0)) {
      throw new StoreError('invalid', 'A limit and an offset are whole numbers from 0.');
    }
  }
  return { limit, offset };
}

/** @throws StoreError `invalid` */
export function measureOf(entity: Entity, measure: object) {
  const [[kind = '', name = ''] = []] = Object.entries(measure);
  if (kind === 'count') return fn('COUNT', col('*'));
  if (!['sum', 'max', 'min'].includes(kind)) throw new StoreError('invalid', `There is no measure ${kind}.`);
  if (['text', 'json', 'boolean'].includes(columnOf(entity, name).type)) {
    throw new StoreError('invalid', `The column ${entity.name}.${name} holds no numbers.`);
  }
  return fn(kind.toUpperCase(), col(name));
}
