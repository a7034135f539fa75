const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes as people read them, base 1024 with two decimals: `1.59 KB`. */
export function humanSize(bytes: number): string {
  let value = bytes;
  let step = 0;
  // 1023.995 would be shown as 1024.00 of the smaller unit.
  while (value >= 1023.995 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${value.toFixed(2)} ${units[step]}`;
}
