/** The server's error numbers: a lost deadlock, a lock timeout, a row that changed since it was read. */
const conflicts = new Set([1213, 1205, 1020]);
/** The disk is full, no more connections, the server is closing or read-only, the connection was cut. */
const outages = new Set([1021, 1040, 1053, 1114, 1203, 1290, 1836, 1927, 3024]);

/**
 * @param {any} error
 * @returns {import('@holdfast/plugin-api').StoreErrorKind | undefined}
 */
export function errorKind(error) {
  const { errno, fatal } = error?.original ?? error ?? {};
  if (conflicts.has(errno)) return 'conflict';
  // The client's own numbers begin at 45000, and all of them are about the connection.
  if (fatal || outages.has(errno) || errno >= 45_000) return 'unavailable';
  return undefined;
}
