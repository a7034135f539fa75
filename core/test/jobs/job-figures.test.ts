import { describe, expect, it, vi } from 'vitest';
import {
  type JobKind,
  noProgress,
  type TerminalStatus,
  terminalStatuses,
} from '../../src/engine/jobs/job.rules.js';
import { forgetInJobs, noRepository, noteEnded, rebuildFigures } from '../../src/engine/jobs/job-figures.js';
import { type JobFigures, noFigures } from '../../src/engine/jobs/job-figures.rules.js';
import { type JobRow, jobFigures, jobs } from '../../src/engine/jobs/tables.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { heldHandler, insertRepository, request, startInstance } from './engine-world.js';

const kinds: JobKind[] = ['backup', 'check', 'compact', 'prune'];

function scene() {
  const storage = memoryStorage();
  let now = 1_000_000;
  const end = async (values: Partial<JobRow> = {}): Promise<JobRow> => {
    now += 60_000;
    const row = await storage.insert(jobs, {
      kind: 'backup',
      status: 'completed',
      repository_id: 1,
      repository_path: '/r',
      repository_name: 'r',
      requested_by: 'alice',
      requested_at: now,
      started_at: now,
      completed_at: now + 2_500,
      parameters: {},
      progress: noProgress,
      ...values,
    });
    await storage.transaction((session) => noteEnded(session, row));
    return row;
  };
  const of = async (id: number): Promise<JobFigures> => {
    const [row] = await storage.find(jobFigures, { where: { repository_id: id } });
    return row?.figures ?? noFigures;
  };
  return { storage, end, of };
}

describe('the figures of jobs', () => {
  it('count by kind and status, and know the last one of each kind', async () => {
    const { end, of } = scene();
    const progress = { ...noProgress, originalSize: 100, deduplicatedSize: 7 };
    const good = await end({ progress });
    await end({ status: 'failed', completed_at: good.completed_at });
    await end({ kind: 'check', status: 'completed_with_warnings' });
    const { counts, last } = await of(1);
    expect(counts).toEqual({ backup: { completed: 1, failed: 1 }, check: { completed_with_warnings: 1 } });
    expect(last.backup).toMatchObject({
      success: false,
      good: { endedAt: good.completed_at, originalSize: 100, deduplicatedSize: 7 },
    });
    expect(last.backup?.clean).toEqual({ endedAt: good.completed_at });
    expect(last.check).toMatchObject({ success: true, begun: { seconds: 2.5 }, clean: null });
  });

  it('keep the duration and the wait of the last one that was begun', async () => {
    const { end, of } = scene();
    const { requested_at } = await end({ requested_at: 1_059_000 });
    await end({ status: 'cancelled', started_at: null });
    expect((await of(1)).last.backup).toMatchObject({
      success: false,
      begun: { seconds: 2.5, waited: (1_060_000 - requested_at) / 1000 },
    });
  });

  it('do not depend on the order of ends', async () => {
    const { end, of } = scene();
    await end({ status: 'failed', completed_at: 9_000_000 });
    const good = await end({ completed_at: 5_000_000 });
    expect((await of(1)).last.backup).toMatchObject({
      endedAt: 9_000_000,
      success: false,
      begun: { endedAt: 9_000_000 },
      good: { endedAt: good.completed_at },
    });
  });

  it('know the last check that was not cancelled, and the last damage', async () => {
    const { end, of } = scene();
    const check = { kind: 'check' } as const;
    const damaged = await end({ ...check, status: 'failed', outcome: { damaged: true } });
    const good = await end({ ...check, outcome: { damaged: false } });
    await end({ ...check, status: 'cancelled' });
    expect((await of(1)).last.check).toMatchObject({
      success: false,
      judged: { jobId: good.id, success: true, endedAt: good.completed_at },
      damaged: { jobId: damaged.id, endedAt: damaged.completed_at },
    });
    expect((await of(1)).last.backup).toBeUndefined();
  });

  it('are written with the end of each job, also of one that never began', async () => {
    const storage = memoryStorage();
    const repository = await insertRepository(storage, 'photos');
    const handler = heldHandler();
    const instance = startInstance({ storage, handlers: [handler] });
    await request(instance, repository);
    const second = await request(instance, repository);
    await vi.waitFor(() => expect(handler.runs).toHaveLength(1), 20_000);
    await instance.queue.cancel(second.id, 'backup');
    handler.runs[0]?.finish();
    const figures = async () => (await storage.find(jobFigures))[0]?.figures.counts;
    await vi.waitFor(
      async () => expect(await figures()).toEqual({ backup: { cancelled: 1, completed: 1 } }),
      20_000,
    );
    await instance.stop(0);
  });

  it('count nothing that has not ended', async () => {
    const { end, storage } = scene();
    await end({ status: 'running', completed_at: null });
    expect(await storage.find(jobFigures)).toEqual([]);
  });

  it('move to no repository when theirs is removed', async () => {
    const { end, of, storage } = scene();
    await end();
    await end({ repository_id: 2 });
    await end({ repository_id: null, status: 'failed' });
    await forgetInJobs(storage, 2);
    await forgetInJobs(storage, 99);
    expect(await of(noRepository)).toEqual({ counts: { backup: { failed: 1, completed: 1 } }, last: {} });
    expect(await of(2)).toBe(noFigures);
    expect((await of(1)).counts.backup).toEqual({ completed: 1 });
  });

  it('stay the same when recalculated over random data', async () => {
    const { end, storage } = scene();
    const any = <T>(items: readonly T[], n: number): T => items[(n * 7919) % items.length] as T;
    for (let n = 0; n < 300; n++) {
      await end({
        kind: any(kinds, n),
        status: any<TerminalStatus>(terminalStatuses, n * 3 + 1),
        repository_id: any([1, 2, 3, null], n * 5),
        ...(n % 11 === 0 ? { started_at: null } : {}),
        progress: { ...noProgress, originalSize: n },
      });
    }
    const figures = async () =>
      (await storage.find(jobFigures, { order: [['repository_id', 'asc']] })).map(({ id: _, ...row }) => row);
    const before = await figures();
    expect(before).toHaveLength(4);
    expect(await storage.transaction(rebuildFigures)).toBe(300);
    expect(await figures()).toEqual(before);
  });
});
