import pTimeout from 'p-timeout';

/** Rejects with `late()` when the work takes longer than `ms`. The work itself goes on. */
export const withinTime = <T>(ms: number, work: () => T | Promise<T>, late: () => Error): Promise<T> =>
  pTimeout(Promise.resolve().then(work), { milliseconds: ms, message: late() });

/** Settles as the work does, or resolves to `otherwise` after `ms`. The work itself goes on. */
export const atMost = <T, U = undefined>(ms: number, work: Promise<T>, otherwise?: U): Promise<T | U> =>
  pTimeout(work, { milliseconds: Math.max(1, ms), fallback: () => otherwise as U });

/** Settles as the work does, true; false when the signal came first. The work itself may go on. */
export async function untilAborted(signal: AbortSignal, work: Promise<unknown>): Promise<boolean> {
  const stopped = new Promise<false>((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  const ended = await Promise.race([work.then(() => true), stopped]);
  if (!ended) work.catch(() => undefined);
  return ended && !signal.aborted;
}
