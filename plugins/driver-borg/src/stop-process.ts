/** How long each signal gets before the next, stronger one. */
export const signalPauseMs = 5000;

/** To the whole group of the process: the tool may have started a connection of its own. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // No such group (any more): the process itself, then nothing.
    }
  }
}

/**
 * Sends the signals one after the other until `ended` settles, and resolves then. The first may be an
 * interrupt, which lets a writer save what it has; readers have nothing to save and begin with the second.
 */
export async function stopInSteps(pid: number, ended: Promise<unknown>, interrupt: boolean): Promise<void> {
  const signals: NodeJS.Signals[] = interrupt ? ['SIGINT', 'SIGTERM', 'SIGKILL'] : ['SIGTERM', 'SIGKILL'];
  for (const signal of signals) {
    signalGroup(pid, signal);
    if (await settlesWithin(ended, signalPauseMs)) return;
  }
  await ended;
}

async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = promise.then(
    () => true as const,
    () => true as const,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
