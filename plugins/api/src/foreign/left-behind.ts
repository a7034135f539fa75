/** The kernel ends what it can within milliseconds. */
const graceMs = 2_000;

let left = 0;

/** How many processes were killed and did not end, because they wait for a file system that does not answer. */
export const leftBehind = (): number => left;

/** Counts a process that was killed, from when it is late until it is gone. */
export function leaveBehind(gone: Promise<unknown>, ms = graceMs): void {
  let counted = false;
  const late = setTimeout(() => {
    counted = true;
    left += 1;
  }, ms).unref();
  void gone.finally(() => {
    clearTimeout(late);
    if (counted) left -= 1;
  });
}
