import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { MongoClock } from './mongodb.js';

/** The keys that a clock rings, in their order. */
export function listRings(clock: MongoClock): string[] {
  const rings: string[] = [];
  clock.onRing((key) => void rings.push(key));
  return rings;
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
