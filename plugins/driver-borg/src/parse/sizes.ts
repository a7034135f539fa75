const units: Record<string, number> = { B: 0, kB: 1, MB: 2, GB: 3, TB: 4, PB: 5, EB: 6, ZB: 7, YB: 8 };

/** The bytes in "compaction freed about 2.73 kB repository space", as rounded by the tool; null if it has none. */
export function parseFreedBytes(text: string): number | null {
  const match = /freed about ([+-]?[\d.]+) ([kMGTPEZY]?B)\b/.exec(text);
  if (!match) return null;
  const bytes = Number(match[1]) * 1000 ** (units[match[2] as string] ?? 0);
  return Math.max(0, Math.round(bytes));
}
