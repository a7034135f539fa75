export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value that `share` of the numbers do not exceed. */
export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

export const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
export const milliseconds = (ms) => `${ms.toFixed(1)} ms`;
export const mebibytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
/** The limits of memory growth are in MB of 10^6 bytes. */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
export const ratio = (number) => number.toFixed(3);
