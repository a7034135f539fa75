import type { Clock, Entity, RowOf, StorageBackend, StorageSession, Where } from '@holdfast/plugin-api';
import { repeat } from './repeat.js';

/** A row that one run holds at a time. To take it, a run raises `fence`; writes with an older one match nothing. */
interface Leased {
  id: number;
  fence: number;
}

/** The condition of each write by the run that took the row. */
export const heldRow = ({ id, fence }: Leased): Leased => ({ id, fence });

/**
 * Takes a row as it was read. Null when another run was faster, or `where` does not hold. `patch`: what is written as
 * well, such as the end of the lease.
 */
export async function takeLease<E extends Entity, R extends RowOf<E> & Leased>(
  session: StorageSession,
  entity: E,
  row: R,
  { where, patch }: { where?: Where<E>; patch: Partial<RowOf<E>> },
): Promise<R | null> {
  const taken = { ...patch, fence: row.fence + 1 } as Partial<RowOf<E>>;
  const count = await session.update(entity, { ...where, ...heldRow(row) } as Where<E>, taken);
  return count === 0 ? null : { ...row, ...taken };
}

export interface LeaseOptions {
  storage: StorageBackend;
  clock: Clock;
  leaseMs: number;
  renewMs: number;
  onError(error: unknown): void;
  /** Also lost when no renewal was confirmed for the length of the lease. */
  confirmed?: boolean;
}

export interface Lease {
  /** Aborted when another run has taken the row. */
  readonly lost: AbortSignal;
  /** Renews it now; false when it may have ended. */
  confirm(): Promise<boolean>;
  /** Ends the renewal. */
  stop(): Promise<void>;
  /** Ends the lease, so that another run need not wait. Never rejects. */
  giveBack(): Promise<void>;
}

/** Renews `lease_until` of a row that was just taken, until it is lost or stopped. */
export function keepLease<E extends Entity>(
  entity: E,
  row: Leased,
  { storage, clock, leaseMs, renewMs, onError, confirmed = false }: LeaseOptions,
): Lease {
  const lost = new AbortController();
  let confirmedAt = performance.now();
  const write = (lease_until: number) =>
    storage.update(entity, heldRow(row) as Where<E>, { lease_until } as Partial<RowOf<E>>);
  const renew = async () => {
    const askedAt = performance.now();
    if (confirmed && askedAt - confirmedAt > leaseMs) lost.abort();
    if ((await write(clock.now() + leaseMs)) === 0) lost.abort();
    else confirmedAt = askedAt;
  };
  const renewal = repeat(renew, { everyMs: renewMs, later: true, onError });
  return {
    lost: lost.signal,
    async confirm() {
      await renew().catch(onError);
      return !lost.signal.aborted && performance.now() - confirmedAt < leaseMs;
    },
    stop: () => renewal.stop(),
    async giveBack() {
      await renewal.stop();
      await write(0).catch(onError);
    },
  };
}
