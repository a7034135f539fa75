import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  /** Words for the error: what did not come. */
  what: string;
  timeoutMs?: number;
  intervalMs?: number;
}

/** Asks `look` until it answers something else than undefined, null or false, and returns that. */
export async function waitFor<T>(
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { what, timeoutMs = 60_000, intervalMs = 100 }: WaitOptions,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await look();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await pause(intervalMs);
  }
}
