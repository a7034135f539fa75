import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RepositoryRow } from '../../src/backup/repositories/tables.js';
import type { JobKind } from '../../src/engine/jobs/job.rules.js';
import type { JobContext, JobHandler } from '../../src/engine/jobs/job-contract.js';
import { jobs, lanes } from '../../src/engine/jobs/tables.js';
import { events } from '../../src/foundation/events/tables.js';
import { insertRepository, memoryStorage, pass, startInstance } from './engine-world.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The same numbers for the same seed, so that a failure can be run again. */
function randomNumbers(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Notes who is at work on each repository, and every breach of the lane. */
class Watch {
  readonly active = new Map<number, Set<string>>();
  readonly begun = new Map<number, { id: number; kind: JobKind }[]>();
  readonly breaches: string[] = [];

  async during(context: JobContext, ms: number) {
    const { id, kind } = context.job;
    const repository = context.repository.id;
    const here = this.active.get(repository) ?? new Set();
    this.active.set(repository, here);
    if (here.size > 0 && (kind === 'backup' || [...here].some((other) => other.startsWith('backup')))) {
      this.breaches.push(`${kind} ${id} beside ${[...here].join()}`);
    }
    this.begun.set(repository, [...(this.begun.get(repository) ?? []), { id, kind }]);
    here.add(`${kind} ${id}`);
    await new Promise((resolve) => setTimeout(resolve, ms));
    here.delete(`${kind} ${id}`);
  }
}

it.each([1, 2, 3])(
  '200 jobs on 5 repositories and two instances: no overlap, no overtaking (seed %d)',
  async (seed) => {
    const random = randomNumbers(seed);
    const storage = memoryStorage();
    const watch = new Watch();
    const handler = (kind: JobKind, lane: JobHandler['lane']): JobHandler => ({
      kind,
      lane,
      run: async (context) => {
        await watch.during(context, Math.floor(random() * 40));
        return { status: 'completed' };
      },
      recover: () => Promise.reject(new Error('nothing vanished')),
      settle: () => ({}),
    });
    const handlers = [handler('backup', 'exclusive'), handler('restore', 'shared')];
    const instances = [1, 2].map(() => startInstance({ storage, handlers, maxConcurrentJobs: 4 }));
    const repositories: RepositoryRow[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) repositories.push(await insertRepository(storage, name));

    for (let count = 0; count < 200; count += 1) {
      const instance = instances[Math.floor(random() * 2)];
      const repository = repositories[Math.floor(random() * 5)];
      if (!instance || !repository) throw new Error('unreachable');
      const kind = random() < 0.6 ? 'backup' : 'restore';
      const job = await instance.queue.insert({ kind, repository, parameters: {}, requestedBy: 'alice' });
      if (random() < 0.9) instance.queue.wake(job.id);
      if (random() < 0.3) await pass(Math.floor(random() * 20));
    }
    await pass(60_000);

    expect(watch.breaches).toEqual([]);
    const rows = await storage.find(jobs);
    expect(rows.filter(({ status, fence }) => status !== 'completed' || fence !== 1)).toEqual([]);
    expect((await storage.find(lanes)).flatMap(({ holders }) => holders)).toEqual([]);
    for (const kind of ['job_queued', 'job_started', 'job_ended']) {
      const told = await storage.find(events, { where: { kind } });
      expect(told.map(({ job_id }) => job_id).sort()).toEqual(rows.map(({ id }) => id).sort());
    }
    for (const begun of watch.begun.values()) {
      begun.forEach(({ id, kind }, at) => {
        const overtaken = begun.slice(at + 1).filter((later) => later.id < id);
        // Readers may change places among themselves; nobody passes a writer and no writer passes anybody.
        expect(overtaken.filter((later) => kind === 'backup' || later.kind === 'backup')).toEqual([]);
      });
    }
    await Promise.all(instances.map((instance) => instance.stop(0)));
  },
);
