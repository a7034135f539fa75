const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Decimal units, as the console shows them: `1.6 kB` is 1,600 bytes. */
export function humanSize(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1000 ** power;
  return `${scaled < 100 && power > 0 ? Math.round(scaled * 10) / 10 : Math.round(scaled)} ${units[power]}`;
}

const binaryUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** As clients of the API parse it: base 1024 and two decimals, `1.59 KB`. */
export function clientSize(bytes: number): string {
  let value = bytes;
  let step = 0;
  // 1023.995 would round to 1024.00 of the smaller unit.
  while (value >= 1023.995 && step < binaryUnits.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${value.toFixed(2)} ${binaryUnits[step]}`;
}
