import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { MongoTimers } from './mongodb.js';

/** The keys that a timer service fires, in their order. */
export function listFired(timers: MongoTimers): string[] {
  const fired: string[] = [];
  timers.onDue((key) => void fired.push(key));
  return fired;
}

/** Asks until it is true; an assertion that says what did not come. */
export async function until(what: string, within: number, look: () => boolean | Promise<boolean>) {
  const deadline = performance.now() + within;
  while (!(await look())) {
    if (performance.now() > deadline) expect.fail(`${what}: not within ${within} ms`);
    await pause(25);
  }
}

/** How long it took, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
