/** Resolves after the time, or rejects with the reason of the signal; leaves no timer behind. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A little longer than asked for, so that not all clients come back at once. */
export const withJitter = (seconds: number): number => seconds * (1 + Math.random() / 5);
