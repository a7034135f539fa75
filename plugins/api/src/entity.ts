/**
 * Entities are data: a storage plugin builds its tables, documents or files from them and needs no knowledge of what
 * the product does with them.
 */
export type ColumnType =
  /** Positive integer assigned by the store, the primary key. Higher than all earlier ones and never reused. */
  | 'id'
  /** Whole number within Number.MAX_SAFE_INTEGER. */
  | 'integer'
  /** IEEE double. */
  | 'number'
  /** Unicode text of any length, compared by code point, case-sensitive. A lone surrogate is stored as U+FFFD. */
  | 'text'
  | 'boolean'
  /** Milliseconds since 1970-01-01T00:00:00Z as a whole number. */
  | 'timestamp'
  /** Any JSON value. Not allowed in a where clause or an order. */
  | 'json';

export interface Column<T = unknown> {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Used by `insert` if the value is missing. */
  readonly default?: T;
  /**
   * Set if the column holds envelopes of the secret box. For text: the purpose of the envelopes, with columns of the
   * row in braces. For JSON: `inside`.
   */
  readonly sealed?: string;
  /** Carries only the TypeScript type; never set. */
  readonly $type?: T;
}

export type Columns = Record<string, Column>;

export interface Entity<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  /** Lists of columns whose combined values are unique. Nulls never collide. */
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
type IdKeys<C extends Columns> = { [K in keyof C]: C[K] extends { type: 'id' } ? K : never }[keyof C];

/** What `insert` takes: without the id; nullable columns and columns with a default may be omitted. */
export type InsertOf<E extends Entity> = Partial<
  Pick<RowOf<E>, Exclude<OptionalKeys<E['columns']>, IdKeys<E['columns']>> & keyof RowOf<E>>
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

/** Marks a column that holds envelopes, so that a change of the secret key finds it. */
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
