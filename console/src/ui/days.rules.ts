/** Noon of a day some days before `YYYY-MM-DD`. */
export function dayBefore(lastDay: string, days: number): Date {
  const day = new Date(`${lastDay}T12:00:00`);
  day.setDate(day.getDate() - days);
  return day;
}

/** The days of the newest weeks, oldest first: each letter is one, the last one `lastDay`. Row 0 is Monday. */
export function cellsOf(days: string, lastDay: string, weeks: number) {
  const last = weeks * 7 - 7 + ((dayBefore(lastDay, 0).getDay() + 6) % 7);
  return [...days].flatMap((letter, index) => {
    const ago = days.length - 1 - index;
    const at = last - ago;
    if (at < 0) return [];
    return [{ letter, at: index, date: dayBefore(lastDay, ago), column: Math.floor(at / 7), row: at % 7 }];
  });
}

const worstFirst = 'fmlwo-';

/** The worst outcome of each day, of strips that begin and end on the same days. */
export const worstOfDays = (strips: readonly string[]): string =>
  [...(strips[0] ?? '')]
    .map((_, day) => {
      const ranks = strips.map((strip) => worstFirst.indexOf(strip[day] ?? '-')).filter((rank) => rank >= 0);
      return worstFirst[Math.min(...ranks)] ?? '-';
    })
    .join('');

export type Cell = ReturnType<typeof cellsOf>[number];
