import { idempotencyKeys } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

/** Forgets the answers that are not given again any more. */
export const sweepKeys =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (): Promise<void> => {
    await storage.remove(idempotencyKeys, { expires_at: { lte: clock.now() } });
  };
