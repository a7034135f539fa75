/** Epoch milliseconds to ISO 8601 UTC; fractions of a millisecond are cut. */
export function isoTime(at: number): string;
export function isoTime(at: number | null): string | null;
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(Math.floor(at)).toISOString();
}
