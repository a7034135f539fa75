import { isStoreError } from '../kernel/errors.js';
import type { StorageBackend } from '../ports/storage.js';
import { type HousekeepingRow, housekeeping } from '../schema/tables.js';

/**
 * Takes one turn of a rule: its row, or null when it is not yet time or another process has the turn. Nobody holds it:
 * the rule is due again after `every`, whether its turn came to an end or not.
 */
export async function takeRule(
  storage: StorageBackend,
  { rule, now, every }: { rule: string; now: number; every: number },
): Promise<HousekeepingRow | null> {
  const due_at = now + every;
  const [row] = await storage.find(housekeeping, { where: { rule }, limit: 1 });
  if (!row) {
    return storage.insert(housekeeping, { rule, due_at }).catch((error: unknown) => {
      if (isStoreError(error, 'unique')) return null;
      throw error;
    });
  }
  // One that is due later than any turn could have said was written by a clock that was ahead.
  if (row.due_at > now && row.due_at <= due_at) return null;
  const taken = await storage.update(housekeeping, { id: row.id, due_at: row.due_at }, { due_at });
  return taken === 1 ? row : null;
}
