import { inTransaction } from '../kernel/in-transaction.js';
import { slots } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { closeSlot } from './settle-slot.js';

const atOnce = 500;
const olderThan = 60_000;

/**
 * Ends slots whose jobs ended without it: what belongs to the end of a job is left out when it can't be written.
 * Without it such a slot would hold back all later ones.
 */
export const closeEndedSlots =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (): Promise<void> => {
    const open = await storage.find(slots, {
      where: { outcome: 'running', started_at: { lt: clock.now() - olderThan } },
      limit: atOnce,
    });
    for (const { id } of open) {
      await inTransaction(storage, (session) => closeSlot({ clock }, session, id));
    }
  };
