import { setTimeout as pause } from 'node:timers/promises';
import { isDriverError } from '../../kernel/errors.js';

const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

/** Tries again, for some two minutes, what only a connection can keep from being done. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const ms of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isDriverError(error, 'connection')) throw error;
      await pause(ms);
    }
  }
  return work();
}
