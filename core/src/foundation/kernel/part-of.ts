import type { Columns, Entity } from '@holdfast/plugin-api';

/**
 * An entity for reads that need only these columns of another one: wide rows cost more than all else in lists that
 * are read often. Conditions and the order may only name these columns, too.
 */
export const partOf = <C extends Columns, N extends keyof C & string>(
  whole: Entity<C>,
  ...names: readonly N[]
): Entity<Pick<C, N>> => ({
  ...whole,
  columns: Object.fromEntries(names.map((name) => [name, whole.columns[name]])) as Pick<C, N>,
});
