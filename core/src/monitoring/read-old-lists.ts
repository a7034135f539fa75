import { withinTime } from '../kernel/within-time.js';
import { repositories } from '../schema/tables.js';
import { currentInventory } from '../repositories/inventory/current-inventory.js';

/** Archives may come and go by other hands: a list that is older is read anew. */
const oldAfterMs = 3_600_000;
/** Who asks waits no longer for that; what is left is read when somebody asks again. */
const waitMs = 2_000;

type Needs = Parameters<typeof currentInventory>[0];

/** Reads the oldest lists of archives anew, as many as there is time for; those of busy repositories stay. */
export const readOldLists = (needs: Needs) => {
  const read = currentInventory(needs);
  return async (): Promise<void> => {
    const { storage, clock, log } = needs;
    const ageOf = (at: number | null) => clock.now() - (at ?? 0);
    const old = (await storage.find(repositories))
      .filter(({ inventory_at }) => ageOf(inventory_at) >= oldAfterMs)
      .sort((a, b) => (a.inventory_at ?? 0) - (b.inventory_at ?? 0));
    let late = false;
    const readAll = async () => {
      for (const repository of old) {
        if (late) return;
        await read(repository).catch((error) => log.info('a list of archives was not read', { error }));
      }
    };
    await withinTime(waitMs, readAll, () => new Error('late')).catch(() => {
      late = true;
    });
  };
};
