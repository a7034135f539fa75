import { type StorageBackend, type StorageSession, StoreError, say } from '@holdfast/plugin-api';
import { DriverError } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RepositoryRow, repositories } from '../../src/backup/repositories/tables.js';
import type { JobHandler } from '../../src/engine/jobs/job-contract.js';
import { readJobLog } from '../../src/engine/jobs/job-log-reader.js';
import { jobs, lanes } from '../../src/engine/jobs/tables.js';
import { AppError } from '../../src/foundation/kernel/errors.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import {
  heldHandler,
  holdersOf,
  type Instance,
  insertRepository,
  jobRow,
  memoryStorage,
  ofHandlers,
  pass,
  request,
  startInstance,
  tool,
} from './engine-world.js';

let storage: StorageBackend;
let repository: RepositoryRow;
let started: Instance[];

beforeEach(async () => {
  vi.useFakeTimers();
  storage = memoryStorage();
  repository = await insertRepository(storage, 'photos');
  started = [];
});

afterEach(async () => {
  const stopped = Promise.all(started.map((instance) => instance.stop(0)));
  await pass(60_000);
  await stopped;
  vi.useRealTimers();
});

function start(
  handlers: JobHandler[],
  options: { maxConcurrentJobs?: number; maxConcurrentPulls?: number; storage?: StorageBackend } = {},
) {
  const instance = startInstance({ storage, handlers, ...options });
  started.push(instance);
  return instance;
}

/** The first runs; the second waits for its place. */
async function twoWaiting(instance: Instance): Promise<[number, number]> {
  const first = await request(instance, repository);
  await pass(10);
  const second = await request(instance, await insertRepository(storage, 'music'));
  await pass(10);
  return [first.id, second.id];
}

/** The same storage; `last` runs in each transaction, before its commit. */
const withinTransactions = (
  inner: StorageBackend,
  last: (session: StorageSession) => void,
): StorageBackend => ({
  ...inner,
  transaction: (work) =>
    inner.transaction(async (session) => {
      const result = await work(session);
      last(session);
      return result;
    }),
});

describe('a run', () => {
  it('begins and ends without waiting for any timer', async () => {
    const handler = heldHandler();
    const instance = start([handler]);
    await pass(1);
    const began = Date.now();
    const { id } = await request(instance, repository);
    await vi.waitFor(() => expect(handler.runs).toHaveLength(1), { interval: 1 });
    handler.runs[0]?.finish({ status: 'completed', outcome: { archive: 'a' } });
    await vi.waitFor(async () => expect((await jobRow(storage, id)).status).toBe('completed'), {
      interval: 1,
    });
    expect(Date.now() - began).toBeLessThan(50);
    const row = await jobRow(storage, id);
    expect(row).toMatchObject({ fence: 1, owner: null, lease_until: null, outcome: { archive: 'a' } });
    expect(row.progress.percent).toBe(100);
    expect(await holdersOf(storage, repository.id)).toEqual([]);
  });

  it('is taken by the reconciler when its timer is lost', async () => {
    const handler = heldHandler();
    const instance = start([handler]);
    await pass(100);
    await instance.queue.insert({ kind: 'backup', repository, parameters: {}, requestedBy: 'alice' });
    await pass(2_100);
    expect(handler.runs).toHaveLength(1);
  });

  it('records its end with events and commit in one transaction', async () => {
    const handler = heldHandler();
    const commit = vi.fn(async () => undefined);
    const instance = start([
      { ...handler, settle: (job, end) => ({ ...handler.settle(job, end, null), commit }) },
    ]);
    await request(instance, repository);
    await pass(10);
    handler.runs[0]?.finish();
    await pass(10);
    expect(await ofHandlers(storage)).toMatchObject([
      { kind: 'backup_success', data: { status: 'completed' } },
    ]);
    expect(commit).toHaveBeenCalledTimes(1);
  });

  it('ends even if its commit fails, and logs that', async () => {
    const handler = heldHandler();
    const commit = () => Promise.reject(new TypeError('a mistake'));
    const instance = start([{ ...handler, settle: () => ({ commit }) }]);
    const { id } = await request(instance, repository);
    await pass(10);
    handler.runs[0]?.finish();
    await pass(10);
    expect((await jobRow(storage, id)).status).toBe('completed');
    expect(instance.log.entries.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it.each([
    [new DriverError('no_space', 'No space left for pass-1234.'), 'No space left for ***.'],
    [new AppError('invalid', say`x: None of the sources is there.`), 'None of the sources is there.'],
    [new Error('pass-1234 in the inside'), 'An unexpected error ended the job: see the Holdfast log.'],
  ])('fails with a readable text when it throws %s', async (error, text) => {
    const handler = heldHandler();
    const instance = start([handler]);
    instance.redactor.protect('pass-1234');
    const { id } = await request(instance, repository);
    await pass(10);
    handler.runs[0]?.fail(error);
    await pass(10);
    expect(await jobRow(storage, id)).toMatchObject({ status: 'failed', error_message: text });
    const { lines } = await readJobLog(storage, id, { offset: 0, limit: 10 });
    expect(lines.at(-1)?.content).toMatch(new RegExp(`ERROR ${text.slice(0, 20).replace('*', '.')}`));
  });

  it('writes its figures at most once a second', async () => {
    const view = faultyStorage(storage);
    const handler = heldHandler();
    const instance = start([handler], { storage: view });
    const { id } = await request(instance, repository);
    await pass(10);
    const before = view.calls.update ?? 0;
    for (let step = 1; step <= 100; step += 1) {
      handler.runs[0]?.context.progress({ originalSize: step * 2 ** 20, expectedSize: 200 * 2 ** 20 });
      await pass(50);
    }
    // Five seconds: five times the figures, once the lease.
    expect((view.calls.update ?? 0) - before).toBeLessThanOrEqual(6);
    const { progress } = await jobRow(storage, id);
    expect(progress.percent).toBeGreaterThan(45);
    expect(progress.speed).toBeCloseTo(20, 0);
    expect(progress.secondsRemaining).toBeGreaterThan(3);
  });

  it('keeps its job slot from start to end', async () => {
    const handler = heldHandler();
    const instance = start([handler], { maxConcurrentJobs: 1 });
    const other = await insertRepository(storage, 'music');
    const first = await request(instance, repository);
    const second = await request(instance, other);
    await pass(10);
    expect(handler.runs).toHaveLength(1);
    expect((await jobRow(storage, second.id)).waiting_for).toMatch(/^a free job slot \(limit: 1\)/);
    handler.runs[0]?.finish();
    await pass(10);
    expect((await jobRow(storage, first.id)).status).toBe('completed');
    expect(handler.runs).toHaveLength(2);
  });

  it('uses separate job slots for pulls', async () => {
    const handler = { ...heldHandler(), pulls: (row: RepositoryRow) => row.source_connection_id !== null };
    const instance = start([handler], { maxConcurrentJobs: 1, maxConcurrentPulls: 1 });
    const repositoryOf = async (name: string, source_connection_id: number | null) => {
      const row = await insertRepository(storage, name);
      await storage.update(repositories, { id: row.id }, { source_connection_id });
      return row;
    };
    const ids: number[] = [];
    for (const [name, source] of [
      ...([
        ['pull 1', 7],
        ['pull 2', 7],
        ['local 1', null],
      ] as const),
      ...([
        ['local 2', null],
        ['pull 3', 7],
      ] as const),
    ]) {
      ids.push((await request(instance, await repositoryOf(name, source))).id);
      await pass(10);
    }
    const running = () => handler.runs.map(({ context }) => ids.indexOf(context.job.id));
    expect(running()).toEqual([0, 2]);
    // The reconciler tells those who came when no place was free.
    await pass(10_000);
    const waiting = async (index: number) => (await jobRow(storage, ids[index] ?? 0)).waiting_for;
    expect(await waiting(1)).toMatch(/^a free slot for backups of other hosts \(limit: 1\)/);
    expect(await waiting(3)).toMatch(/^a free job slot \(limit: 1\)/);
    // The first pull hangs: local backups go on.
    handler.runs[1]?.finish();
    await pass(10);
    expect(running()).toEqual([0, 2, 3]);
    handler.runs[0]?.finish();
    await pass(10);
    expect(running()).toEqual([0, 2, 3, 1]);
    handler.runs[3]?.finish();
    await pass(10);
    expect(running()).toEqual([0, 2, 3, 1, 4]);
  });

  it('gets a slot that a reconciler held only for a moment', async () => {
    const [elsewhere, here] = [heldHandler(), heldHandler()];
    await request(start([elsewhere]), repository);
    await pass(10);
    const instance = start([here], { maxConcurrentJobs: 1 });
    await pass(10);
    const [waiting, free] = [repository, await insertRepository(storage, 'music')];
    const ids = await Promise.all([waiting, free].map(async (each) => (await request(instance, each)).id));
    await pass(100);
    expect(elsewhere.runs).toHaveLength(1);
    expect(here.runs.map(({ context }) => context.job.id)).toEqual([ids[1]]);
  });

  it('takes the freed slot in the transaction that ends the previous job', async () => {
    const view = faultyStorage(storage);
    const handler = heldHandler();
    const instance = start([handler], { storage: view, maxConcurrentJobs: 1 });
    const [first, second] = await twoWaiting(instance);
    const before = view.calls.transaction ?? 0;
    handler.runs[0]?.context.log({ level: 'info', text: 'the last line' });
    handler.runs[0]?.finish();
    await vi.waitFor(() => expect(handler.runs).toHaveLength(2), { interval: 1 });
    expect((view.calls.transaction ?? 0) - before).toBe(1);
    expect(await jobRow(storage, first)).toMatchObject({ status: 'completed', log_lines: 1 });
    const [line] = (await readJobLog(storage, first, { offset: 0, limit: 10 })).lines;
    expect(line?.content).toMatch(/the last line$/);
    expect(await jobRow(storage, second)).toMatchObject({ status: 'running', fence: 1, waiting_for: null });
  });

  it('releases its slot even if the job log cannot be stored', async () => {
    const refusing: StorageBackend = {
      ...storage,
      transaction: (work) =>
        storage.transaction((session) =>
          work({
            ...session,
            insert: (entity, row) => {
              if (entity.name === 'job_log') throw new StoreError('invalid', 'It takes no log.');
              return session.insert(entity, row);
            },
          }),
        ),
    };
    const handler = heldHandler();
    const [first] = await twoWaiting(start([handler], { storage: refusing, maxConcurrentJobs: 1 }));
    handler.runs[0]?.context.log({ level: 'info', text: 'lost' });
    handler.runs[0]?.finish();
    await pass(100);
    expect(await jobRow(storage, first)).toMatchObject({ status: 'completed', log_lines: 0 });
    expect((await ofHandlers(storage)).map(({ kind, job_id }) => [kind, job_id])).toEqual([
      ['backup_success', first],
    ]);
    expect(handler.runs).toHaveLength(2);
  });

  it('starts each job once when the end meets a conflict', async () => {
    let meets = 0;
    const met = withinTransactions(storage, () => {
      if (meets-- > 0) throw new StoreError('conflict', 'It met another change.');
    });
    const handler = heldHandler();
    const ids = await twoWaiting(start([handler], { storage: met, maxConcurrentJobs: 1 }));
    meets = 1;
    handler.runs[0]?.finish();
    await pass(100);
    handler.runs[1]?.finish();
    await pass(100);
    expect(handler.runs.map(({ context }) => context.job.id)).toEqual(ids);
    for (const id of ids) expect(await jobRow(storage, id)).toMatchObject({ status: 'completed', fence: 1 });
  });

  it('starts a job once when the answer of its transaction was lost', async () => {
    let answers = true;
    const silent: StorageBackend = {
      ...storage,
      transaction: async (work) => {
        const result = await storage.transaction(work);
        if (answers) return result;
        answers = true;
        throw new StoreError('unavailable', 'The storage went away before it answered.');
      },
    };
    const handler = heldHandler();
    const ids = await twoWaiting(start([handler], { storage: silent, maxConcurrentJobs: 1 }));
    answers = false;
    handler.runs[0]?.finish();
    await pass(10);
    expect([handler.runs.length, (await jobRow(storage, ids[1])).status]).toEqual([1, 'running']);
    await pass(10_000);
    handler.runs[1]?.finish();
    await pass(100);
    expect([handler.runs.length, handler.recoveries.length]).toEqual([2, 0]);
    for (const id of ids) expect((await jobRow(storage, id)).status).toBe('completed');
  });

  it('leaves the next job pending when the instance stops', async () => {
    let stop = () => {};
    const stopping = withinTransactions(storage, () => stop());
    const handler = heldHandler();
    const instance = start([handler], { storage: stopping, maxConcurrentJobs: 1 });
    const [first, second] = await twoWaiting(instance);
    stop = () => void instance.stop(1_000);
    handler.runs[0]?.finish();
    await pass(100);
    expect(handler.runs).toHaveLength(1);
    expect((await jobRow(storage, first)).status).toBe('completed');
    expect(await jobRow(storage, second)).toMatchObject({ status: 'pending', owner: null });
    expect((await storage.find(lanes)).flatMap(({ holders }) => holders)).toEqual([]);
  });

  it('fires timers for only a few of many jobs at once', async () => {
    const instance = start([heldHandler()]);
    for (let id = 1; id <= 100; id += 1) instance.queue.wake(id);
    expect(instance.timers.keys).toEqual([1, 2, 3, 4, 5].map((id) => `job:${id}`));
    await pass(1);
    instance.queue.wake(101);
    expect(instance.timers.keys.at(-1)).toBe('job:101');
  });

  it('does not read all pending jobs each time a slot is free', async () => {
    const view = faultyStorage(storage);
    const handler = heldHandler();
    const instance = start([handler], { storage: view, maxConcurrentJobs: 1 });
    for (let n = 0; n < 100; n += 1) await request(instance, await insertRepository(storage, `r${n}`));
    // Between two looks of the reconciler.
    await pass(2_500);
    const before = view.calls.find ?? 0;
    for (let n = 0; n < 10; n += 1) {
      handler.runs[n]?.finish();
      await pass(10);
    }
    expect(handler.runs.map(({ context }) => context.job.id)).toEqual(
      Array.from({ length: 11 }, (_, n) => n + 1),
    );
    expect((view.calls.find ?? 0) - before).toBeLessThan(10 * 20);
  });

  it('wakes all jobs that arrived while no slot was free', async () => {
    const handler = heldHandler();
    const instance = start([handler], { maxConcurrentJobs: 1 });
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.push((await request(instance, await insertRepository(storage, `r${n}`))).id);
    await pass(2_500);
    const texts = await Promise.all(ids.slice(1).map(async (id) => (await jobRow(storage, id)).waiting_for));
    for (const text of texts) expect(text).toMatch(/^a free job slot \(limit: 1\)/);
  });
});

describe('the lane of a repository', () => {
  it('runs exclusive jobs one by one and reports the reason each one waits', async () => {
    const handler = heldHandler();
    const instance = start([handler]);
    expect(await instance.queue.waitsFor(repository.id)).toBeNull();
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await request(instance, repository)).id);
    await pass(10);
    expect(handler.runs.map(({ context }) => context.job.id)).toEqual([ids[0]]);
    expect((await jobRow(storage, ids[1] ?? 0)).waiting_for).toBe('backup job 1 of repository photos');
    expect((await jobRow(storage, ids[2] ?? 0)).waiting_for).toBe('backup job 2 of repository photos');
    expect(await instance.queue.waitsFor(repository.id)).toBe('backup job 3 of repository photos');
    handler.runs[0]?.finish();
    await pass(10);
    handler.runs[1]?.finish();
    await pass(10);
    expect(handler.runs.map(({ context }) => context.job.id)).toEqual(ids);
  });

  it('runs shared jobs together, but not before an earlier exclusive one', async () => {
    const reader = heldHandler('restore', 'shared');
    const writer = heldHandler('backup', 'exclusive');
    const instance = start([reader, writer]);
    await request(instance, repository, 'restore');
    await request(instance, repository, 'restore');
    await request(instance, repository, 'backup');
    await request(instance, repository, 'restore');
    await pass(10);
    expect([reader.runs.length, writer.runs.length]).toEqual([2, 0]);
    reader.runs[0]?.finish();
    await pass(3_000);
    expect([reader.runs.length, writer.runs.length]).toEqual([2, 0]);
    reader.runs[1]?.finish();
    await pass(10);
    expect([reader.runs.length, writer.runs.length]).toEqual([2, 1]);
    writer.runs[0]?.finish();
    await pass(10);
    expect(reader.runs).toHaveLength(3);
  });

  it('forgets a holder whose job does not run', async () => {
    await storage.insert(lanes, {
      repository_id: repository.id,
      holders: [{ id: 'job:99', mode: 'exclusive', what: 'backup job 99', until: 0 }],
    });
    const handler = heldHandler();
    const instance = start([handler]);
    await request(instance, repository);
    await pass(10);
    expect(handler.runs).toHaveLength(1);
  });

  it('fails a pending job whose repository was removed', async () => {
    const instance = start([heldHandler()]);
    const { id } = await instance.queue.insert({
      kind: 'backup',
      repository,
      parameters: {},
      requestedBy: 'a',
    });
    await storage.update(jobs, { id }, { repository_id: null });
    await pass(2_100);
    expect(await jobRow(storage, id)).toMatchObject({
      status: 'failed',
      error_message: 'The repository was removed from Holdfast.',
    });
  });
});

describe('cancel', () => {
  it('ends a pending job at once, with the events of its handler', async () => {
    const handler = heldHandler();
    const instance = start([handler]);
    await request(instance, repository);
    const waiting = await request(instance, repository);
    await pass(10);
    const { terminated, job } = await instance.queue.cancel(waiting.id, 'backup');
    expect([terminated, job.status]).toEqual([false, 'cancelled']);
    expect(await ofHandlers(storage)).toMatchObject([{ job_id: waiting.id, data: { status: 'cancelled' } }]);
    handler.runs[0]?.finish();
    await pass(10);
    expect(handler.runs).toHaveLength(1);
  });

  it('ends the tool of a running job and waits for it', async () => {
    const handler = heldHandler();
    const instance = start([handler]);
    const { id } = await request(instance, repository);
    await pass(10);
    handler.runs[0]?.context.toolOptions().onProcess?.(tool);
    await pass(10);
    const { terminated, job } = await instance.queue.cancel(id, 'backup');
    expect([terminated, job.status]).toEqual([true, 'cancelled']);
    expect(job.error_message).toBe('Cancelled by a user.');
  });

  it('reaches a job of another instance within two seconds', async () => {
    const [here, there] = [heldHandler(), heldHandler()];
    const runner = start([there]);
    const { id } = await request(runner, repository);
    await pass(10);
    const other = start([here]);
    const cancelling = other.queue.cancel(id, 'backup');
    await pass(2_600);
    expect((await cancelling).job.status).toBe('cancelled');
  });

  it('returns when a job does not end, and leaves it running', async () => {
    const stubborn = { ...heldHandler(), run: () => new Promise<never>(() => undefined) };
    const instance = start([stubborn]);
    const { id } = await request(instance, repository);
    await pass(10);
    const cancelling = instance.queue.cancel(id, 'backup');
    await pass(16_000);
    expect(await cancelling).toMatchObject({
      terminated: false,
      job: { status: 'running', cancel_requested: true },
    });
  });

  it('reports the real result when the job finished first', async () => {
    const handler = heldHandler();
    let finish = () => {};
    const deaf = {
      ...handler,
      run: () =>
        new Promise<{ status: 'completed' }>((resolve) => (finish = () => resolve({ status: 'completed' }))),
    };
    const instance = start([deaf]);
    const { id } = await request(instance, repository);
    await pass(10);
    const cancelling = instance.queue.cancel(id, 'backup');
    await pass(10);
    finish();
    await pass(600);
    expect(await cancelling).toMatchObject({ terminated: false, job: { status: 'completed' } });
  });

  it('refuses an unknown job, one of another kind and one that has ended', async () => {
    const handler = heldHandler();
    const instance = start([handler]);
    const { id } = await request(instance, repository);
    await pass(10);
    await expect(instance.queue.cancel(id + 1, 'backup')).rejects.toMatchObject({ code: 'not_found' });
    await expect(instance.queue.cancel(id, 'restore')).rejects.toMatchObject({ code: 'not_found' });
    handler.runs[0]?.finish();
    await pass(10);
    await expect(instance.queue.cancel(id, 'backup')).rejects.toMatchObject({
      detail: `The backup job ${id} has ended (completed): only pending and running jobs can be cancelled.`,
      reason: { code: 'job_already_ended', params: { kind: 'backup', id, status: 'completed' } },
    });
  });
});

describe('stop', () => {
  it('gives running jobs their grace, takes nothing more and leaves pending jobs', async () => {
    const handler = heldHandler();
    const instance = start([handler]);
    const first = await request(instance, repository);
    const second = await request(instance, repository);
    await pass(10);
    const stopping = instance.stop(5_000);
    await pass(1_000);
    handler.runs[0]?.finish();
    await pass(10);
    await stopping;
    expect((await jobRow(storage, first.id)).status).toBe('completed');
    expect((await jobRow(storage, second.id)).status).toBe('pending');
    expect(instance.timers.drained).toBe(true);

    const next = heldHandler();
    start([next]);
    await pass(10);
    expect(next.runs[0]?.context.job.id).toBe(second.id);
  });

  it('ends longer jobs with a reason', async () => {
    const handler = heldHandler();
    const instance = start([handler]);
    const { id } = await request(instance, repository);
    await pass(10);
    const stopping = instance.stop(1_000);
    await pass(1_100);
    await stopping;
    expect(await jobRow(storage, id)).toMatchObject({
      status: 'failed',
      error_message: expect.stringMatching(/^Interrupted: Holdfast stopped/),
    });
    expect(await holdersOf(storage, repository.id)).toEqual([]);
  });

  it('returns even if a job does not end', async () => {
    const instance = start([{ ...heldHandler(), run: () => new Promise<never>(() => undefined) }]);
    await request(instance, repository);
    await pass(10);
    const stopping = instance.stop(1_000);
    await pass(20_000);
    await stopping;
    expect(instance.log.entries.map(({ message }) => message)).toContain(
      'jobs did not end in time; the next start will recover them',
    );
  });
});
