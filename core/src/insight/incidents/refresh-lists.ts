import { currentInventory, repositories } from '../../backup/repositories/index.js';
import { withinTime } from '../../foundation/kernel/index.js';
import type { RepositoryFacts } from '../monitoring/index.js';
import type { IncidentsNeeds } from './needs.js';

/** As in GET /api/system/protection: others may add archives, so older lists are read again. Milliseconds. */
const oldAfterMs = 3_600_000;
/** How long one evaluation waits for lists. */
const waitMs = 15_000;

type Needs = Parameters<typeof currentInventory>[0] & Pick<IncidentsNeeds, 'clock'>;

/**
 * Refreshes old or missing archive lists, which may show that late repositories are not late. Resolves to
 * repositories skipped for lack of time, and to whether any list was read. A list that cannot be read is
 * retried once an hour.
 */
export const refreshLists = (needs: Needs) => {
  const triedAt = new Map<number, number>();
  const isOld = (at: number | null | undefined) => Math.abs(needs.clock.now() - (at ?? 0)) >= oldAfterMs;
  return async (
    candidates: readonly RepositoryFacts[],
  ): Promise<{ untried: ReadonlySet<number>; read: boolean }> => {
    const old = candidates.filter(({ row }) => isOld(row.inventory_at) && isOld(triedAt.get(row.id)));
    const untried = new Set(old.map(({ row }) => row.id));
    for (const id of triedAt.keys()) if (!candidates.some(({ row }) => row.id === id)) triedAt.delete(id);
    let over = false;
    const readAll = async () => {
      for (const { row: known } of old) {
        if (over) return;
        const [row] = await needs.storage.find(repositories, { where: { id: known.id }, limit: 1 });
        if (!row) continue;
        await currentInventory(needs, row).catch((error) =>
          needs.log.info('could not read a list of archives', { error }),
        );
        triedAt.set(row.id, needs.clock.now());
        untried.delete(row.id);
      }
    };
    await withinTime(waitMs, readAll, () => new Error('late')).catch(() => undefined);
    over = true;
    return { untried: new Set(untried), read: old.length > 0 };
  };
};
