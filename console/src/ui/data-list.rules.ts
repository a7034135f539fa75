/** Key of a column, with `-` before it when descending; '': the own order of the rows. */
export type Sorting = string;

interface Sortable<T> {
  key: string;
  sort?: (row: T) => string | number | null;
  figure?: boolean;
}

const directions = ({ key, figure }: Sortable<never>): readonly Sorting[] =>
  figure ? [`-${key}`, key, ''] : [key, `-${key}`, ''];

/** What comes after `sorted` when the head of the column is pressed: both directions, then the own order. */
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
      const order =
        typeof one === 'string'
          ? one.localeCompare(String(other), undefined, { numeric: true })
          : one - Number(other);
      return isDown ? -order : order;
    })
    .map(([row]) => row);
}
