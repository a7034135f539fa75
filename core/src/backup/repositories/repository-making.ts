import { randomUUID } from 'node:crypto';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import {
  callLease,
  conflict,
  heldRow,
  isAppError,
  keepLease,
  type Paced,
  say,
  takeLease,
} from '../../foundation/kernel/index.js';
import type { RepositoriesNeeds } from './needs.js';
import { type RepositoryMakingRow, repositories, repositoryMakings } from './tables.js';

type Needs = Pick<RepositoriesNeeds, 'storage' | 'clock' | 'log'> & Paced;

/** The note for a repository that this process is creating or looks at. */
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
  const { storage, clock, pace } = needs;
  const { leaseMs } = callLease(pace);
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

/** Notes a uid under which the tool runs before its repository is registered, if ever. */
export async function noteCandidate(needs: Needs): Promise<RepositoryMaking> {
  const uid = randomUUID();
  const lease_until = needs.clock.now() + callLease(needs.pace).leaseMs;
  const note = { path: `candidate:${uid}`, uid, lease_until };
  return renewedMaking(needs, await needs.storage.insert(repositoryMakings, note), false);
}

/** Runs the tool under a uid of its own, of which nothing stays. */
export async function asCandidate<T>(needs: CandidateNeeds, work: (uid: string) => Promise<T>): Promise<T> {
  const making = await noteCandidate(needs);
  try {
    return await work(making.uid);
  } finally {
    await forgetCaches(needs, making.uid);
    await making.forget();
  }
}

export type CandidateNeeds = Needs & Pick<RepositoriesNeeds, 'driver'>;

/**
 * Removes what processes that died left in the tool's data folder of this machine. The notes stay for other machines,
 * which have folders of their own.
 */
export async function removeLeftFolders(needs: CandidateNeeds): Promise<void> {
  const { storage, clock } = needs;
  for (const row of await storage.find(repositoryMakings, { where: { lease_until: { lte: clock.now() } } })) {
    const { uid, lease_until } = row;
    const taken = await takeOver(needs, row).catch((error: unknown) => {
      if (isAppError(error) && error.code === 'conflict') return null;
      throw error;
    });
    if (!taken) continue;
    const [registered] = await storage.find(repositories, { where: { uid }, limit: 1 });
    if (!registered) await forgetCaches(needs, uid);
    await storage.update(repositoryMakings, heldRow(taken), { lease_until });
  }
}

/** Makes the tool drop its caches for a repository on this machine. A failure is only logged. */
export async function forgetCaches(
  { driver, log }: Pick<RepositoriesNeeds, 'driver' | 'log'>,
  uid: string,
): Promise<void> {
  try {
    await driver.forget({ uid });
  } catch (error) {
    log.warn('the caches of a removed repository could not be deleted', { uid, error });
  }
}

async function takeOver({ storage, clock, pace }: Needs, row: RepositoryMakingRow) {
  const { lease_until } = row;
  const now = clock.now();
  if (lease_until > now) throw beingCreated(lease_until - now);
  const patch = { lease_until: now + callLease(pace).leaseMs };
  const taken = await takeLease(storage, repositoryMakings, row, { where: { lease_until }, patch });
  if (!taken) throw beingCreated(0);
  return taken;
}

const beingCreated = (ms: number) =>
  conflict(
    say`repository_being_created: A repository is being created at this path: try again a little later.`,
    {
      retryAfterSeconds: Math.max(1, Math.min(5, Math.ceil(ms / 1000))),
    },
  );

/** Renews the note until it is finished, forgotten or left. */
function renewedMaking(needs: Needs, row: RepositoryMakingRow, takenOver: boolean): RepositoryMaking {
  const { uid } = row;
  const onError = (error: unknown) =>
    needs.log.warn('the note for a new repository could not be written', { error });
  const times = callLease(needs.pace);
  const lease = keepLease(repositoryMakings, row, { ...needs, ...times, onError });
  return {
    uid,
    takenOver,
    async finish(session) {
      if ((await session.remove(repositoryMakings, heldRow(row))) === 0) throw beingCreated(times.leaseMs);
    },
    isOurs: () => lease.confirm(),
    done: () => void lease.stop(),
    async forget() {
      await lease.stop();
      await needs.storage.remove(repositoryMakings, heldRow(row)).catch(onError);
    },
    leave: () => lease.giveBack(),
  };
}
