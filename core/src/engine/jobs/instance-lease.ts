import type { Clock, Log, StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { type Repeated, repeat, withinTime } from '../../foundation/kernel/index.js';
import { type InstanceRow, instances } from './tables.js';

export const instanceTimes = { leaseMs: 60_000, renewMs: 20_000, forgetMs: 86_400_000 };

/** A database that hangs must not delay the end of the process. */
const endWithinMs = 1_000;

/** What a process records about itself. */
export type InstanceFacts = Pick<InstanceRow, 'uid' | 'host' | 'pid' | 'place' | 'process_start' | 'version'>;

export interface InstanceLease {
  begin(): Promise<void>;
  /** Never rejects: a row that remains counts until its lease ends. */
  end(): Promise<void>;
}

/** Keeps a row in the storage while this process uses it. */
export function makeInstanceLease(
  { storage, clock, log }: { storage: StorageBackend; clock: Clock; log: Log },
  facts: InstanceFacts,
): InstanceLease {
  const { uid } = facts;
  let renewal: Repeated | undefined;
  const until = () => clock.now() + instanceTimes.leaseMs;
  const insert = () =>
    storage.insert(instances, { ...facts, started_at: clock.now(), lease_until: until() }).then(() => {});
  const renew = async () => {
    if ((await storage.update(instances, { uid }, { lease_until: until() })) === 0) await insert();
  };
  const onError = (error: unknown) => log.debug('the row of this process could not be renewed', { error });
  return {
    async begin() {
      await storage.remove(instances, { lease_until: { lt: clock.now() - instanceTimes.forgetMs } });
      await insert();
      renewal = repeat(renew, { everyMs: instanceTimes.renewMs, later: true, onError });
    },
    async end() {
      void renewal?.stop();
      const late = () => new Error(`not within ${endWithinMs} ms`);
      const remove = () => storage.remove(instances, { uid });
      await withinTime(endWithinMs, remove, late).catch((error: unknown) => {
        log.debug('the row of this process could not be removed', { error });
      });
    },
  };
}

/**
 * The processes that use the storage now. `isGone`: true for one that is known to have ended although its lease has
 * not.
 */
export async function livingInstances(
  session: StorageSession,
  { now, isGone }: { now: number; isGone(row: InstanceRow): boolean },
): Promise<InstanceRow[]> {
  const rows = await session.find(instances, { where: { lease_until: { gt: now } } });
  return rows.filter((row) => !isGone(row));
}
