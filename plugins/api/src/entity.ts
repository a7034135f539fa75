/**
 * Entities are data: a storage plugin builds its tables, documents or files from them and needs no
 * knowledge of what the product does with them.
 */
export type ColumnType =
  /** Positive integer made by the store, higher than all before, never used twice; the primary key. */
  | 'id'
  /** Whole number within Number.MAX_SAFE_INTEGER. */
  | 'integer'
  /** IEEE double. */
  | 'number'
  /** Unicode text of any length; compared by code point, case-sensitive. A lone surrogate is kept as U+FFFD. */
  | 'text'
  | 'boolean'
  /** Milliseconds since 1970-01-01T00:00:00Z as a whole number. */
  | 'timestamp'
  /** Any JSON value; can't be used in a where clause or an order. */
  | 'json';

export interface Column<T = unknown> {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Used by `insert` when the value is absent. */
  readonly default?: T;
  /**
   * Set where the column holds envelopes of the secret box. Of a text: their purpose, with columns of the row in
   * braces. Of a JSON value: `inside`.
   */
  readonly sealed?: string;
  /** Carries the TypeScript type only; never set. */
  readonly $type?: T;
}

export type Columns = Record<string, Column>;

export interface Entity<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  /** Each a list of column names whose values together are unique. Nulls never collide. */
  readonly unique: readonly (readonly string[])[];
  readonly indexes: readonly (readonly string[])[];
}

export type RowOf<E extends Entity> = {
  [K in keyof E['columns']]: NonNullable<E['columns'][K]['$type']> | NullOf<E['columns'][K]>;
};
type NullOf<C> = C extends { nullable: true } ? null : never;

type OptionalKeys<C extends Columns> = {
  [K in keyof C]: C[K] extends { hasDefault?: true } ? K : never;
}[keyof C];

/** What `insert` takes: ids, nullable columns and columns with a default may be left out. */
export type InsertOf<E extends Entity> = Partial<
  Pick<RowOf<E>, OptionalKeys<E['columns']> & keyof RowOf<E>>
> &
  Omit<RowOf<E>, OptionalKeys<E['columns']> & keyof RowOf<E>>;

export function entity<const C extends Columns>(
  name: string,
  columns: C,
  keys: { unique?: (keyof C & string)[][]; indexes?: (keyof C & string)[][] } = {},
): Entity<C> {
  return { name, columns, unique: keys.unique ?? [], indexes: keys.indexes ?? [] };
}

export interface Typed<T, N extends boolean, D extends boolean> extends Column<T> {
  readonly nullable: N;
  readonly hasDefault?: D;
}

const column =
  (type: ColumnType) =>
  <T>() => ({
    required: (): Typed<T, false, false> => ({ type, nullable: false }),
    nullable: (): Typed<T, true, true> => ({ type, nullable: true }),
    default: (value: T): Typed<T, false, true> => ({
      type,
      nullable: false,
      default: value,
      hasDefault: true,
    }),
  });

/** The column, marked as one that holds envelopes: a change of the secret key finds them by that. */
export const sealed = <C extends Column>(purpose: string, definition: C): C => ({
  ...definition,
  sealed: purpose,
});

export const col = {
  id: (): Typed<number, false, true> & { type: 'id' } => ({ type: 'id', nullable: false }),
  integer: column('integer')<number>(),
  number: column('number')<number>(),
  text: <T extends string = string>() => column('text')<T>(),
  boolean: column('boolean')<boolean>(),
  timestamp: column('timestamp')<number>(),
  json: <T>() => column('json')<T>(),
};
