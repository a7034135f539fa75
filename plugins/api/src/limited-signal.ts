/** Aborts after `ms`, or as soon as one of `signals` does. */
export function limitedSignal(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  // `any` holds its sources weakly: without a listener, the timeout is garbage-collected and never fires.
  limit.addEventListener('abort', () => {}, { once: true });
  return AbortSignal.any([limit, ...signals]);
}
