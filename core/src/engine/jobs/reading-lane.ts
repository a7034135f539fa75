import { randomUUID } from 'node:crypto';
import type { StorageSession } from '@holdfast/plugin-api';
import { conflict, inTransaction, repeat, say } from '../../foundation/kernel/index.js';
import type { EngineCore } from './engine-core.js';
import type { LaneHolder, LaneMode } from './job.rules.js';
import { describeJob } from './job.rules.js';
import type { ReadingLane } from './job-contract.js';
import type { JobDispatcher } from './job-dispatcher.js';
import { blockingHolder, holdersNow, leaveLane, openLane, writeHolders } from './lanes.js';
import { jobs } from './tables.js';

const defaultWait = 20_000;

interface Place {
  repositoryId: number;
  id: string;
  what: string;
  mode: LaneMode;
}

export function makeReadingLane(core: EngineCore, dispatcher: JobDispatcher): ReadingLane {
  const within = async <T>(about: Omit<Place, 'id'>, work: () => Promise<T>, waitMs: number): Promise<T> => {
    const place: Place = { ...about, id: `read:${randomUUID()}` };
    await enter(core, place, waitMs);
    const renewal = repeat(() => renew(core, place), {
      everyMs: core.timings.renewEvery,
      later: true,
      onError: (error) =>
        core.log.warn('the slot of a reader could not be renewed', { what: place.what, error }),
    });
    try {
      return await work();
    } finally {
      void renewal.stop();
      await leave(core, place);
      void dispatcher.ended(place.repositoryId);
    }
  };
  return {
    withLane: (repositoryId, what, work, waitMs = defaultWait) =>
      within({ repositoryId, what, mode: 'shared' }, work, waitMs),
    aloneInLane: (repositoryId, what, work) => within({ repositoryId, what, mode: 'exclusive' }, work, 0),
  };
}

async function enter(core: EngineCore, place: Place, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const blocking = await inTransaction(core.storage, (session) => tryEnter(core, session, place));
    if (blocking === null) return;
    const left = deadline - performance.now();
    if (left <= 0) {
      const retryAfterSeconds = await secondsUntilFree(core, place.repositoryId);
      throw conflict(
        say`repository_in_use_by_job: The repository is in use by ${{ job: blocking }}: try again when that has ended.`,
        { retryAfterSeconds },
      );
    }
    await core.laneWaiters.wait(place.repositoryId, Math.min(core.timings.waitPoll, left));
  }
}

/** Null when the place was taken, else the holder that is in the way. */
async function tryEnter(core: EngineCore, session: StorageSession, place: Place): Promise<string | null> {
  const lane = await openLane(session, place.repositoryId);
  const now = core.clock.now();
  const holders = await holdersNow(session, lane, now);
  const blocking = blockingHolder(holders, place.mode);
  if (blocking) return blocking.what;
  // Otherwise a continuous stream of readers could keep an exclusive job waiting forever.
  const waiting = holders.length > 0 ? await exclusiveJobWaiting(core, session, place.repositoryId) : null;
  if (waiting) return waiting;
  const holder: LaneHolder = {
    id: place.id,
    mode: place.mode,
    what: place.what,
    until: now + core.timings.lease,
  };
  await writeHolders(session, lane, [...holders, holder]);
  return null;
}

async function exclusiveJobWaiting(core: EngineCore, session: StorageSession, repositoryId: number) {
  const where = { repository_id: repositoryId, status: 'pending' as const };
  const pending = await session.find(jobs, { where, order: [['id', 'asc']], limit: 20 });
  const job = pending.find(({ kind }) => core.handlers.get(kind)?.lane === 'exclusive');
  return job ? describeJob(job) : null;
}

async function renew(core: EngineCore, place: Place): Promise<void> {
  await inTransaction(core.storage, async (session) => {
    const lane = await openLane(session, place.repositoryId);
    const until = core.clock.now() + core.timings.lease;
    const holders = lane.holders.map((holder) => (holder.id === place.id ? { ...holder, until } : holder));
    if (holders.some(({ id }) => id === place.id)) await writeHolders(session, lane, holders);
  });
}

async function leave(core: EngineCore, place: Place): Promise<void> {
  try {
    await inTransaction(core.storage, (session) => leaveLane(session, place.repositoryId, place.id));
  } catch (error) {
    core.log.warn('the slot of a reader could not be freed; it will expire', {
      what: place.what,
      error,
    });
  }
}

/** The remaining time that the running job reports, within limits. */
async function secondsUntilFree({ storage }: EngineCore, repositoryId: number): Promise<number> {
  const running = await storage.find(jobs, { where: { repository_id: repositoryId, status: 'running' } });
  const longest = Math.max(0, ...running.map(({ progress }) => progress.secondsRemaining));
  return longest > 0 ? Math.min(300, Math.max(5, Math.ceil(longest))) : 20;
}
