/** Each starts a program that keeps a processor busy for a moment. */
const mostAtOnce = 3;

/** Works on all, a few at once, in their order; rejects with the first failure after those begun have ended. */
export async function fewAtOnce<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  let failure: { error: unknown } | null = null;
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined && !failure; next = waiting.shift()) {
      await work(next).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, worker));
  if (failure) throw (failure as { error: unknown }).error;
}
