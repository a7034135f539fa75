import pTimeout from 'p-timeout';

/** Rejects with `late()` when the work takes longer than `ms`. The work itself goes on. */
export const withinTime = <T>(ms: number, work: () => T | Promise<T>, late: () => Error): Promise<T> =>
  pTimeout(Promise.resolve().then(work), { milliseconds: ms, message: late() });

/** Settles as the work does, or resolves after `ms`. The work itself goes on. */
export const atMost = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  pTimeout(work, { milliseconds: Math.max(1, ms), fallback: () => undefined });
