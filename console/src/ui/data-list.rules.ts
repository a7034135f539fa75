import type { ComponentChildren } from 'preact';

/** Key of a column, with `-` in front when descending; '': the rows stay as they come. */
export type Sorting = string;

export interface Column<T> {
  key: string;
  head: string;
  cell: (row: T) => ComponentChildren;
  /** What the column sorts by; null comes last. */
  sort?: (row: T) => string | number | null;
  /** Finds the row. */
  text?: (row: T) => string;
  /** Track of a CSS grid that doesn't depend on the content; default: a share of the width. */
  width?: string;
  /** A figure, at the end of its column. The first direction of sorting is descending. */
  figure?: boolean;
  /** Has its head in front of it in the lines of a phone, like each figure. */
  named?: boolean;
}

type Sortable<T> = Omit<Column<T>, 'cell' | 'head'>;

const names = new Intl.Collator(undefined, { numeric: true });

const directions = ({ key, figure }: Sortable<never>): readonly Sorting[] =>
  figure ? [`-${key}`, key, ''] : [key, `-${key}`, ''];

/** The next order when the head of a column is pressed: both directions, then as the rows come. */
export function turned(sorted: Sorting, column: Sortable<never>): Sorting {
  const all = directions(column);
  return all[(all.indexOf(sorted) + 1) % all.length] ?? '';
}

/** Unknown values come last in both directions; equal ones keep their order. */
export function sortBy<T>(
  rows: readonly T[],
  columns: readonly Sortable<T>[],
  sorted: Sorting,
): readonly T[] {
  const isDown = sorted.startsWith('-');
  const sort = columns.find(({ key }) => key === sorted.replace(/^-/, ''))?.sort;
  if (!sort) return rows;
  return rows
    .map((row) => [row, sort(row)] as const)
    .sort(([, one], [, other]) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      const order = typeof one === 'string' ? names.compare(one, String(other)) : one - Number(other);
      return isDown ? -order : order;
    })
    .map(([row]) => row);
}

/** Rows with `typed` in one of their texts. */
export function findIn<T>(rows: readonly T[], columns: readonly Sortable<T>[], typed: string): readonly T[] {
  const wanted = typed.trim().toLocaleLowerCase();
  return wanted === ''
    ? rows
    : rows.filter((row) => columns.some(({ text }) => text?.(row).toLocaleLowerCase().includes(wanted)));
}
