import { leaveBehind } from '@holdfast/plugin-api/files';
import pTimeout from 'p-timeout';

/** How long each signal gets before the next, stronger one. */
export const signalPauseMs = 5000;

/** Signals the whole group of the process: the tool may have started a connection of its own. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // No such group (any more): try the process itself, then give up.
    }
  }
}

/**
 * Sends the signals one after another and resolves when `ended` has settled; to false when the process can't be killed,
 * because it waits for a file system that does not answer. A writer first gets an interrupt, which lets it save its
 * progress; readers have nothing to save.
 */
export async function stopInSteps(
  pid: number,
  ended: Promise<unknown>,
  interrupt: boolean,
): Promise<boolean> {
  const signals: NodeJS.Signals[] = interrupt ? ['SIGINT', 'SIGTERM', 'SIGKILL'] : ['SIGTERM', 'SIGKILL'];
  for (const signal of signals) {
    signalGroup(pid, signal);
    if (await settlesWithin(ended, signalPauseMs)) return true;
  }
  leaveBehind(ended, 0);
  return false;
}

const settlesWithin = (promise: Promise<unknown>, milliseconds: number): Promise<boolean> =>
  pTimeout(
    promise.then(
      () => true,
      () => true,
    ),
    { milliseconds, fallback: () => false },
  );
