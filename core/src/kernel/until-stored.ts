import pRetry from 'p-retry';
import { isStoreError } from './errors.js';

interface Waiting {
  /** Ends the waiting; without, it goes on for as long as the storage is away. */
  signal?: AbortSignal;
  onAway?: (error: unknown) => void;
}

/** Repeats what is safe to repeat while the storage is away; other errors come out at once. */
export const untilStored = <T>(work: () => Promise<T>, { signal, onAway }: Waiting = {}): Promise<T> =>
  pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: 100,
    maxTimeout: 2_000,
    ...(signal && { signal }),
    shouldRetry: ({ error }) => isStoreError(error) && error.retryable,
    onFailedAttempt: ({ error }) => onAway?.(error),
  });
