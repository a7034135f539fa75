const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Decimal units, as the console shows them: `1.6 kB` is 1,600 bytes. */
export function humanSize(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1000 ** power;
  return `${scaled < 100 && power > 0 ? Math.round(scaled * 10) / 10 : Math.round(scaled)} ${units[power]}`;
}
