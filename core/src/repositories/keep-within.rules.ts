const hours: Record<string, number> = { H: 1, d: 24, w: 24 * 7, m: 24 * 31, y: 24 * 365 };

/** The hours of an interval as the tool reads it: `48H`, `2w`; a month has 31 days, a year 365. */
export const hoursOf = (interval: string): number =>
  Number(interval.slice(0, -1)) * (hours[interval.slice(-1)] ?? Number.NaN);
