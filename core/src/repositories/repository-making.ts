import { randomUUID } from 'node:crypto';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { conflict, leaseMs, renewMs } from '../kernel/index.js';
import type { RepositoriesNeeds } from './needs.js';
import { type RepositoryMakingRow, repositoryMakings } from './tables.js';

type Needs = Pick<RepositoriesNeeds, 'storage' | 'clock' | 'log'>;

/** The note of a repository that this process makes now. */
export interface RepositoryMaking {
  uid: string;
  /** Another process began it and died: what it made may be there. */
  takenOver: boolean;
  /** For the transaction that registers it. AppError `conflict` when another process goes on with it. */
  finish(session: StorageSession): Promise<void>;
  /** False when another process may go on with it. */
  isOurs(): Promise<boolean>;
  /** It is registered. */
  done(): void;
  /** Nothing of it is left. Never rejects. */
  forget(): Promise<void>;
  /** It is left for a later call. Never rejects. */
  leave(): Promise<void>;
}

/**
 * Notes that a repository is being made at the path, or goes on where a process died. `isFree` is asked before a first
 * note: whether no repository is there. Null when one is. AppError `conflict` while another call makes one there.
 */
export async function beginMaking(
  needs: Needs,
  { path, isFree }: { path: string; isFree(): Promise<boolean> },
): Promise<RepositoryMaking | null> {
  const { storage, clock } = needs;
  const [found] = await storage.find(repositoryMakings, { where: { path }, limit: 1 });
  if (found) return kept(needs, await takeOver(needs, found), true);
  if (!(await isFree())) return null;
  try {
    const note = { path, uid: randomUUID(), lease_until: clock.now() + leaseMs };
    return kept(needs, await storage.insert(repositoryMakings, note), false);
  } catch (error) {
    if (isStoreError(error, 'unique')) throw isMade(leaseMs);
    throw error;
  }
}

async function takeOver({ storage, clock }: Needs, row: RepositoryMakingRow): Promise<RepositoryMakingRow> {
  const { id, fence, lease_until } = row;
  const now = clock.now();
  if (lease_until > now) throw isMade(lease_until - now);
  const taken = { fence: fence + 1, lease_until: now + leaseMs };
  if ((await storage.update(repositoryMakings, { id, fence, lease_until }, taken)) === 0) throw isMade(0);
  return { ...row, ...taken };
}

const isMade = (ms: number) =>
  conflict('A repository is being made at this path: send it again a little later.', {
    retryAfterSeconds: Math.max(1, Math.min(5, Math.ceil(ms / 1000))),
  });

/** Renews the note until it is finished, forgotten or left. */
function kept(
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
    work.catch((error: unknown) => log.warn('the note of a new repository was not written', { error }));
  const timer = setInterval(() => quietly(renew()), renewMs);
  const last = async (work: () => Promise<unknown>) => {
    clearInterval(timer);
    await quietly(work());
  };
  return {
    uid,
    takenOver,
    async finish(session) {
      if ((await session.remove(repositoryMakings, held)) === 0) throw isMade(leaseMs);
    },
    async isOurs() {
      await quietly(renew());
      return heldUntil > clock.now();
    },
    done: () => clearInterval(timer),
    forget: () => last(() => storage.remove(repositoryMakings, held)),
    leave: () => last(() => storage.update(repositoryMakings, held, { lease_until: 0 })),
  };
}
