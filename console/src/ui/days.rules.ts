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
    return at < 0 ? [] : [{ letter, date: dayBefore(lastDay, ago), column: Math.floor(at / 7), row: at % 7 }];
  });
}

export type Cell = ReturnType<typeof cellsOf>[number];
