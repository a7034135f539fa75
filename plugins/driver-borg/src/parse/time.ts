/**
 * Milliseconds since the epoch, with a fraction for the microseconds. borg writes no zone, as it runs with TZ=UTC,
 * and no leading zeros for years before 1000.
 */
export function parseToolTime(text: string): number {
  const whole = Date.parse(`${text.slice(0, 19)}Z`);
  if (Number.isNaN(whole)) return parseUnpadded(text);
  const micros = text.charCodeAt(19) === 46 ? Number(text.slice(20, 26)) : 0;
  return whole + micros / 1000;
}

function parseUnpadded(text: string): number {
  const match = /^(\d{1,4})-(\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{6}))?/.exec(text);
  if (!match) return Number.NaN;
  return Date.parse(`${String(match[1]).padStart(4, '0')}-${match[2]}Z`) + Number(match[3] ?? 0) / 1000;
}
