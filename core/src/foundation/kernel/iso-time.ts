const dayMs = 86_400_000;
const maxDays = 1_000;
/** The date part of each day, cached: one directory may hold a great many times of few days. */
const days = new Map<number, string>();
const digits = (count: number, width: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(width, '0'));
const sixty = digits(60, 2);
const thousand = digits(1000, 3);

/**
 * Epoch milliseconds to ISO 8601 UTC; fractions of a millisecond are cut. Throws RangeError for an invalid
 * time.
 */
export function isoTime(at: number): string;
export function isoTime(at: number | null): string | null;
export function isoTime(at: number | null): string | null {
  if (at === null) return null;
  const day = Math.floor(at / dayMs);
  const ms = Math.floor(at) - day * dayMs;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${sixty[Math.floor(minutes / 60)]}:${sixty[minutes % 60]}:${sixty[seconds % 60]}`;
  return `${dateOf(day)}${clock}.${thousand[ms % 1000]}Z`;
}

/** The date with a trailing `T`. */
function dateOf(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
  if (days.size >= maxDays) days.clear();
  days.set(day, date);
  return date;
}
