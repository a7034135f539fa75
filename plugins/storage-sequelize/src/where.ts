import { type Column, StoreError } from '@holdfast/plugin-api';
import { comparableColumn, qualified, type Table } from './table.js';
import { encodeCompared, type SqlValue } from './values.js';

const ranges = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Collects the values of a statement and hands out their places. */
export class Binds {
  readonly values: SqlValue[] = [];

  add(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** ` WHERE …`, or an empty text when all rows match. @throws StoreError `invalid` */
export function whereClause(table: Table, where: object | undefined, binds: Binds): string {
  const terms = Object.entries(where ?? {}).flatMap(([name, condition]) =>
    new Terms(table, name, comparableColumn(table, name), binds).of(condition),
  );
  return terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
}

/** The conditions on one column. */
class Terms {
  private readonly expression: string;

  constructor(
    private readonly table: Table,
    private readonly name: string,
    private readonly column: Column,
    private readonly binds: Binds,
  ) {
    this.expression = qualified(table, name);
  }

  of(condition: unknown): string[] {
    if (condition === null) return [`${this.expression} IS NULL`];
    if (typeof condition !== 'object') return [`${this.expression} = ${this.bind(condition)}`];
    const terms = Object.entries(condition).map(([operator, operand]) => this.operation(operator, operand));
    if (terms.length === 0) throw this.wrong('an empty condition');
    return terms;
  }

  private operation(operator: string, operand: unknown): string {
    if (operator === 'in') return this.oneOf(operand);
    if (operator === 'not') return this.other(operand);
    if (operator in ranges) {
      return `${this.expression} ${ranges[operator as keyof typeof ranges]} ${this.bind(operand)}`;
    }
    throw this.wrong(`an unknown operator ${operator}`);
  }

  private oneOf(operand: unknown): string {
    if (!Array.isArray(operand)) throw this.wrong('an in that is no list');
    if (operand.length === 0) return '1 = 0';
    return `${this.expression} IN (${operand.map((value) => this.bind(value)).join(', ')})`;
  }

  private other(operand: unknown): string {
    if (operand === null) return `${this.expression} IS NOT NULL`;
    const different = `${this.expression} <> ${this.bind(operand)}`;
    return this.column.nullable ? `(${different} OR ${this.expression} IS NULL)` : different;
  }

  private bind(value: unknown): string {
    const encoded = encodeCompared(this.table, this.name, this.column, value);
    const place = this.binds.add(encoded);
    // A column of whole numbers would refuse it on some databases, where it has an answer: no row.
    return typeof encoded === 'number' && !Number.isSafeInteger(encoded) ? `(${place} + 0.0)` : place;
  }

  private wrong(what: string): StoreError {
    return new StoreError('invalid', `The condition on ${this.table.name}.${this.name} has ${what}.`);
  }
}
