/** Things of the same month together, in the order they come in. */
export function byMonth<T extends { start: string }>(
  archives: readonly T[],
  monthOf: (start: string) => string,
): [string, T[]][] {
  const months = new Map<string, T[]>();
  for (const archive of archives) {
    const month = monthOf(archive.start);
    months.set(month, [...(months.get(month) ?? []), archive]);
  }
  return [...months];
}

/** Cursor of the archive list after the end of a local day (`2026-11-24`); undefined: from the newest. */
export function cursorOf(day: string): string | undefined {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const end = new Date(year, month - 1, date + 1).getTime();
  return day === '' || Number.isNaN(end) ? undefined : `${end}-0`;
}

export const secondsOf = ({ start, end }: { start: string; end: string | null }): number | null =>
  end === null ? null : (Date.parse(end) - Date.parse(start)) / 1000;

/** Of two archives, the older one first. */
export const inOrder = <T extends { start: string }>(one: T, other: T): [T, T] =>
  one.start <= other.start ? [one, other] : [other, one];
