/**
 * Rejects with `late()` when the work lasts longer than `ms`; the work itself can't be stopped from
 * outside.
 */
export async function withinTime<T>(ms: number, work: () => T | Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([Promise.resolve().then(work), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Aborts after `ms`, or as soon as one of `signals` does. */
export function limitedSignal(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  // `any` holds its sources weakly: a time limit that nobody listens to is collected, and never comes.
  limit.addEventListener('abort', () => {}, { once: true });
  return AbortSignal.any([limit, ...signals]);
}
