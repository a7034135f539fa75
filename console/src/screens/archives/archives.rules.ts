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

/** `2026-11-24`, by the local clock. */
export function localDay(at: string | number | Date): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The days of the month that `2026-11-24` is in, in weeks from Monday; null: a day of another month. */
export function weeksOf(day: string): (string | null)[][] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const before = (new Date(year, month - 1, 1).getDay() + 6) % 7;
  const days = new Date(year, month, 0).getDate();
  const cells = Array.from({ length: Math.ceil((before + days) / 7) * 7 }, (_, cell) => {
    const date = cell - before + 1;
    return date < 1 || date > days ? null : localDay(new Date(year, month - 1, date));
  });
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** The first day of a month some months away. */
export function monthAway(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return localDay(new Date(year, month - 1 + months, 1));
}

interface Kept {
  name: string;
  kept_by: string | null;
  schedule_id: number | null;
}

interface Pruning {
  id: number;
  enabled: boolean;
  retention: 'prunes' | 'keeps_everything';
  retention_paused: readonly { repository_id: number }[];
}

/**
 * No rule keeps it, and its schedule prunes this repository. What is not known is not said: a checkpoint of a backup
 * falls under no retention.
 */
export const isPrunedNext = (
  { name, kept_by, schedule_id }: Kept,
  repositoryId: number,
  schedules: readonly Pruning[],
): boolean =>
  kept_by === null &&
  !/\.checkpoint(\.\d+)?$/.test(name) &&
  schedules.some(
    ({ id, enabled, retention, retention_paused }) =>
      id === schedule_id &&
      enabled &&
      retention === 'prunes' &&
      !retention_paused.some(({ repository_id }) => repository_id === repositoryId),
  );

export const secondsOf = ({ start, end }: { start: string; end: string | null }): number | null =>
  end === null ? null : (Date.parse(end) - Date.parse(start)) / 1000;

/** Of two archives, the older one first. */
export const inOrder = <T extends { start: string }>(one: T, other: T): [T, T] =>
  one.start <= other.start ? [one, other] : [other, one];
