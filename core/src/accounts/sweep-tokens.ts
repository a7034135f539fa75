import { tokens } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

const sweepEveryMs = 10 * 60_000;
const rowsOfASweep = 500;

/** Removes expired tokens, some at a time and not more often than every ten minutes. Never throws. */
export function tokenSweeper({ storage, clock, log }: Pick<Dependencies, 'storage' | 'clock' | 'log'>) {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<void> => {
    const now = clock.now();
    if (now - sweptAt < sweepEveryMs) return;
    sweptAt = now;
    try {
      const expired = await storage.find(tokens, {
        where: { expires_at: { lte: now } },
        order: [['expires_at', 'asc']],
        limit: rowsOfASweep,
      });
      if (expired.length > 0) await storage.remove(tokens, { id: { in: expired.map(({ id }) => id) } });
    } catch (error) {
      log.warn('could not remove expired access tokens', { error });
    }
  };
}
