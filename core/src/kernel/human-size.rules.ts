const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Formats bytes with base 1024 and two decimals: `1.59 KB`. */
export function humanSize(bytes: number): string {
  let value = bytes;
  let step = 0;
  // 1023.995 would round to 1024.00 of the smaller unit.
  while (value >= 1023.995 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${value.toFixed(2)} ${units[step]}`;
}
