import { randomUUID } from 'node:crypto';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { conflict, leaseMs, renewMs, repeat, say } from '../kernel/index.js';
import type { RepositoriesNeeds } from './needs.js';
import { type RepositoryMakingRow, repositoryMakings } from './tables.js';

type Needs = Pick<RepositoriesNeeds, 'storage' | 'clock' | 'log'>;

/** The note for a repository that this process is creating. */
export interface RepositoryMaking {
  uid: string;
  /** Another process started it and died. It may have left something there. */
  takenOver: boolean;
  /**
   * Call it in the transaction that registers the repository. Throws AppError `conflict` when another process has
   * taken over.
   */
  finish(session: StorageSession): Promise<void>;
  /** False when another process may have taken over. */
  isOurs(): Promise<boolean>;
  /** Call it once the repository is registered. */
  done(): void;
  /** Removes the note, because nothing is left of the repository. Never rejects. */
  forget(): Promise<void>;
  /** Leaves the note for a later call. Never rejects. */
  leave(): Promise<void>;
}

/**
 * Notes that a repository is being created at the path, or continues for a process that died. `isFree` returns whether
 * there is no repository; it is called before a first note. Returns null when there is one. Throws AppError
 * `conflict` while another call is creating one there.
 */
export async function beginMaking(
  needs: Needs,
  { path, isFree }: { path: string; isFree(): Promise<boolean> },
): Promise<RepositoryMaking | null> {
  const { storage, clock } = needs;
  const [found] = await storage.find(repositoryMakings, { where: { path }, limit: 1 });
  if (found) return renewedMaking(needs, await takeOver(needs, found), true);
  if (!(await isFree())) return null;
  try {
    const note = { path, uid: randomUUID(), lease_until: clock.now() + leaseMs };
    return renewedMaking(needs, await storage.insert(repositoryMakings, note), false);
  } catch (error) {
    if (isStoreError(error, 'unique')) throw beingCreated(leaseMs);
    throw error;
  }
}

async function takeOver({ storage, clock }: Needs, row: RepositoryMakingRow): Promise<RepositoryMakingRow> {
  const { id, fence, lease_until } = row;
  const now = clock.now();
  if (lease_until > now) throw beingCreated(lease_until - now);
  const taken = { fence: fence + 1, lease_until: now + leaseMs };
  if ((await storage.update(repositoryMakings, { id, fence, lease_until }, taken)) === 0)
    throw beingCreated(0);
  return { ...row, ...taken };
}

const beingCreated = (ms: number) =>
  conflict(
    say('repository_being_created')`A repository is being created at this path: try again a little later.`,
    {
      retryAfterSeconds: Math.max(1, Math.min(5, Math.ceil(ms / 1000))),
    },
  );

/** Renews the note until it is finished, forgotten or left. */
function renewedMaking(
  { storage, clock, log }: Needs,
  { id, uid, fence, ...row }: RepositoryMakingRow,
  takenOver: boolean,
): RepositoryMaking {
  const held = { id, fence };
  let heldUntil = row.lease_until;
  const renew = async () => {
    const lease_until = clock.now() + leaseMs;
    if ((await storage.update(repositoryMakings, held, { lease_until })) === 0) heldUntil = 0;
    else heldUntil = lease_until;
  };
  const quietly = (work: Promise<unknown>) =>
    work.catch((error: unknown) => log.warn('the note for a new repository could not be written', { error }));
  const renewal = repeat(() => quietly(renew()), { everyMs: renewMs, later: true, onError: () => {} });
  const last = async (work: () => Promise<unknown>) => {
    await renewal.stop();
    await quietly(work());
  };
  return {
    uid,
    takenOver,
    async finish(session) {
      if ((await session.remove(repositoryMakings, held)) === 0) throw beingCreated(leaseMs);
    },
    async isOurs() {
      await quietly(renew());
      return heldUntil > clock.now();
    },
    done: () => void renewal.stop(),
    forget: () => last(() => storage.remove(repositoryMakings, held)),
    leave: () => last(() => storage.update(repositoryMakings, held, { lease_until: 0 })),
  };
}
