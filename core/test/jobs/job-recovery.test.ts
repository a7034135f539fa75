import { type StorageBackend, StoreError } from '@holdfast/plugin-api';
import { DriverError } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RepositoryRow, repositories } from '../../src/backup/repositories/tables.js';
import { JobAborted } from '../../src/engine/jobs/job-aborted.js';
import { readJobLog } from '../../src/engine/jobs/job-log-reader.js';
import { instances, jobs } from '../../src/engine/jobs/tables.js';
import { events } from '../../src/foundation/events/tables.js';
import { type FaultyStorage, faultyStorage } from '../fakes/faulty-storage.js';
import { said } from '../fakes/said.js';
import {
  type HeldHandler,
  heldHandler,
  holdersOf,
  type Instance,
  type InstanceOptions,
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
/** The instance that will vanish: its view of the storage, its handler, its job. */
let view: FaultyStorage;
let doomed: HeldHandler;
let jobId: number;

beforeEach(async () => {
  vi.useFakeTimers();
  storage = memoryStorage();
  repository = await insertRepository(storage, 'photos');
  started = [];
  view = faultyStorage(storage);
  doomed = heldHandler();
  const instance = start([doomed], view);
  jobId = (await request(instance, repository)).id;
  await pass(10);
  doomed.runs[0]?.context.toolOptions().onProcess?.(tool);
  doomed.runs[0]?.context.log({ level: 'info', text: 'before' });
  await pass(1_500);
});

afterEach(async () => {
  view.become('down');
  const stopped = Promise.all(started.map((instance) => instance.stop(0)));
  await pass(60_000);
  await stopped;
  vi.useRealTimers();
});

function start(handlers: HeldHandler[], on: StorageBackend = storage, more: Partial<InstanceOptions> = {}) {
  const instance = startInstance({ storage: on, handlers, ...more });
  started.push(instance);
  return instance;
}

it('runs a job again if the instance never learned that it took it', async () => {
  view.become('frozen');
  const handler = heldHandler();
  let answers = true;
  const silent: StorageBackend = {
    ...storage,
    transaction: async (work) => {
      const result = await storage.transaction(work);
      if (answers || (result as { result?: string } | null)?.result !== 'taken') return result;
      answers = true;
      throw new StoreError('unavailable', 'The storage went away before it answered.');
    },
  };
  const instance = start([handler], silent);
  const other = await insertRepository(storage, 'letters');
  answers = false;
  const { id } = await request(instance, other);
  await pass(10);
  expect([handler.runs.length, (await jobRow(storage, id)).status]).toEqual([0, 'running']);
  await pass(10_000);
  expect([handler.runs.length, handler.recoveries.length]).toEqual([1, 0]);
  handler.runs[0]?.finish();
  await pass(10);
  expect(await jobRow(storage, id)).toMatchObject({ status: 'completed', fence: 2 });
  expect(await holdersOf(storage, other.id)).toEqual([]);
});

describe('a job whose instance vanished', () => {
  it('is left alone as long as its lease lives', async () => {
    const other = heldHandler();
    start([other]);
    await pass(120_000);
    expect(other.recoveries).toHaveLength(0);
    doomed.runs[0]?.finish();
    await pass(10);
    expect((await jobRow(storage, jobId)).status).toBe('completed');
  });

  it('is recovered once by one of two instances within 60 seconds', async () => {
    view.become('frozen');
    const [one, two] = [heldHandler(), heldHandler()];
    const instances = [start([one]), start([two])];
    await pass(23_000);
    expect(one.recoveries.length + two.recoveries.length).toBe(0);
    await pass(6_000);
    const recoveries = [...one.recoveries, ...two.recoveries];
    expect(recoveries).toHaveLength(1);
    expect(instances.flatMap(({ endProcess }) => endProcess.mock.calls)).toEqual([[tool]]);
    recoveries[0]?.finish({ status: 'completed', outcome: { archive: 'found' } });
    await pass(10);
    expect(await jobRow(storage, jobId)).toMatchObject({
      status: 'completed',
      outcome: { archive: 'found' },
      fence: 2,
    });
    expect(await holdersOf(storage, repository.id)).toEqual([]);
  });

  it.each([
    ['at once when its instance is known to have ended', 1],
    ['only after its lease when nothing is known of its instance', 0],
  ])('is recovered %s', async (_, known) => {
    view.become('frozen');
    const { owner } = await jobRow(storage, jobId);
    const facts = { host: 'h', pid: 1, place: 'p', process_start: '1', version: '1', started_at: 0 };
    await storage.insert(instances, { ...facts, uid: 'another one', lease_until: 60_000 });
    if (known) await storage.insert(instances, { ...facts, uid: owner ?? '', lease_until: 60_000 });
    const other = heldHandler();
    const { endProcess } = start([other], storage, { isGone: () => true });
    await pass(10);
    expect([other.recoveries.length, endProcess.mock.calls]).toEqual([known, known ? [[tool]] : []]);
    expect((await jobRow(storage, jobId)).fence).toBe(1 + known);
  });

  it('writes nothing and ends its tool when the instance returns', async () => {
    view.become('frozen');
    const other = heldHandler();
    start([other]);
    await pass(30_000);
    other.recoveries[0]?.finish({ status: 'failed', error: said('No archive.') });
    await pass(10);
    const before = await jobRow(storage, jobId);

    const run = doomed.runs[0];
    run?.context.progress({ originalSize: 12345 });
    run?.context.log({ level: 'info', text: 'after' });
    run?.context.toolOptions().onProcess?.({ ...tool, pid: 1 });
    run?.finish({ status: 'completed' });
    view.become('well');
    await pass(30_000);
    expect(await jobRow(storage, jobId)).toEqual(before);
    expect(run?.context.signal.reason).toEqual(new JobAborted('lost'));
    const { lines } = await readJobLog(storage, jobId, { offset: 0, limit: 10 });
    expect(lines.map(({ content }) => content.slice(25))).toEqual(['INFO before', 'ERROR No archive.']);
    expect(await ofHandlers(storage)).toHaveLength(1);
    expect(await storage.find(events, { where: { kind: 'job_ended' } })).toHaveLength(1);
  });

  it('keeps the job running if its handler reports it lost', async () => {
    await storage.update(jobs, { id: jobId }, { fence: 2 });
    doomed.runs[0]?.fail(new JobAborted('lost'));
    await pass(10);
    expect(await jobRow(storage, jobId)).toMatchObject({ status: 'running', fence: 2, error_message: null });
    expect(doomed.runs[0]?.context.lost.aborted).toBe(true);
    expect(started[0]?.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('leaves the result to the instance that recovers it', async () => {
    view.become('frozen');
    const other = heldHandler();
    start([other]);
    await pass(30_000);
    doomed.runs[0]?.finish({ status: 'completed', outcome: { archive: 'not asked' } });
    view.become('well');
    await pass(3_000);
    expect(await jobRow(storage, jobId)).toMatchObject({ status: 'running', fence: 2, outcome: null });
    other.recoveries[0]?.finish({ status: 'completed', outcome: { archive: 'asked' } });
    await pass(10);
    expect(await jobRow(storage, jobId)).toMatchObject({
      status: 'completed',
      outcome: { archive: 'asked' },
    });
  });

  it('keeps its job after a pause if no instance took it', async () => {
    const running = performance.now.bind(performance);
    const stoodStill = vi.spyOn(performance, 'now').mockImplementation(() => running() + 60_000);
    vi.setSystemTime(Date.now() + 60_000);
    await pass(10_000);
    expect(doomed.runs[0]?.context.signal.aborted).toBe(false);
    doomed.runs[0]?.finish();
    await pass(10);
    expect((await jobRow(storage, jobId)).status).toBe('completed');
    stoodStill.mockRestore();
  });

  it('is cancelled if a user asked for it', async () => {
    view.become('frozen');
    const other = heldHandler();
    const instance = start([other]);
    const cancelling = instance.queue.cancel(jobId, 'backup');
    await pass(30_000);
    expect((await cancelling).job.status).toBe('running');
    expect((await jobRow(storage, jobId)).status).toBe('cancelled');
    expect(instance.endProcess).toHaveBeenCalledWith(tool);
    expect(other.recoveries).toHaveLength(0);
  });

  it.each([
    ['completed', 'completed'],
    ['failed', 'cancelled'],
  ] as const)('is found %s after a cancel request and ends as %s', async (found, told) => {
    view.become('frozen');
    const other = { ...heldHandler(), recoversCancelled: true };
    const instance = start([other]);
    void instance.queue.cancel(jobId, 'backup');
    await pass(30_000);
    expect(other.recoveries[0]?.context.signal.aborted).toBe(false);
    other.recoveries[0]?.finish({ status: found });
    await pass(10);
    expect((await jobRow(storage, jobId)).status).toBe(told);
  });

  it('is not kept from its recovery by a wish to cancel it', async () => {
    view.become('frozen');
    const other = heldHandler();
    const instance = start([other]);
    await pass(30_000);
    void instance.queue.cancel(jobId, 'backup');
    await pass(5_000);
    expect(other.recoveries[0]?.context.signal.aborted).toBe(false);
    other.recoveries[0]?.finish({ status: 'completed' });
    await pass(10);
    expect((await jobRow(storage, jobId)).status).toBe('completed');
  });

  it('is failed when its repository was removed', async () => {
    view.become('frozen');
    await storage.remove(repositories, { id: repository.id });
    await storage.update(jobs, { id: jobId }, { repository_id: null });
    start([heldHandler()]);
    await pass(30_000);
    expect((await jobRow(storage, jobId)).status).toBe('failed');
  });

  it('is failed with the reason when its tool cannot be ended', async () => {
    view.become('frozen');
    const other = heldHandler();
    const instance = start([other]);
    instance.endProcess.mockRejectedValue(new Error('no such host'));
    await pass(30_000);
    other.recoveries[0]?.fail(new DriverError('connection', 'The host does not respond.'));
    await pass(10);
    expect((await jobRow(storage, jobId)).error_message).toBe(
      'Holdfast stopped while the job ran, and its result could not be determined: The host does not respond.',
    );
  });

  it('waits for the next start when its recovery is interrupted', async () => {
    view.become('frozen');
    const other = heldHandler();
    const instance = start([other]);
    await pass(30_000);
    const stopping = instance.stop(0);
    await pass(1_000);
    await stopping;
    expect((await jobRow(storage, jobId)).status).toBe('running');

    const third = heldHandler();
    start([third]);
    await pass(8_000);
    third.recoveries[0]?.finish();
    await pass(10);
    expect((await jobRow(storage, jobId)).status).toBe('completed');
  });

  it('lets the next job of its repository run', async () => {
    view.become('frozen');
    const other = heldHandler();
    const instance = start([other]);
    const next = await request(instance, repository);
    await pass(30_000);
    expect(other.runs).toHaveLength(0);
    other.recoveries[0]?.finish({ status: 'failed' });
    await pass(10);
    expect(other.runs[0]?.context.job.id).toBe(next.id);
  });
});

describe('a storage that goes away', () => {
  it('continues the run after an outage shorter than a lease', async () => {
    view.become('down');
    await pass(15_000);
    view.become('well');
    await pass(10_000);
    doomed.runs[0]?.finish();
    await pass(10);
    expect((await jobRow(storage, jobId)).status).toBe('completed');
  });

  it('ends the tool before the lease of the job ends', async () => {
    const run = doomed.runs[0];
    view.become('down');
    await pass(18_000);
    expect(run?.context.signal.aborted).toBe(false);
    await pass(6_900);
    expect(run?.context.signal.reason).toEqual(new JobAborted('lost'));
    expect((await jobRow(storage, jobId)).status).toBe('running');

    view.become('well');
    await pass(12_000);
    doomed.recoveries[0]?.finish({ status: 'failed', error: said('Interrupted.') });
    await pass(10);
    expect(await jobRow(storage, jobId)).toMatchObject({ status: 'failed', error_message: 'Interrupted.' });
  });

  it('recovers the job after an outage of writes, without a second run', async () => {
    view.become('locked');
    await pass(24_900);
    doomed.runs[0]?.fail(new JobAborted('lost'));
    await pass(10_000);
    view.become('well');
    await pass(10_000);
    expect([doomed.runs.length, doomed.recoveries.length]).toEqual([1, 1]);
  });

  it.each([5_000, 60_000])('keeps its result without the storage for %d ms at its end', async (ms) => {
    view.become('down');
    doomed.runs[0]?.context.log({ level: 'info', text: 'last words' });
    doomed.runs[0]?.finish({ status: 'completed', outcome: { archive: 'a' } });
    await pass(ms);
    expect((await jobRow(storage, jobId)).status).toBe('running');
    view.become('well');
    await pass(3_000);
    expect(await jobRow(storage, jobId)).toMatchObject({ status: 'completed', outcome: { archive: 'a' } });
    expect(await ofHandlers(storage)).toHaveLength(1);
    expect(await storage.find(events, { where: { kind: 'job_ended' } })).toHaveLength(1);
    expect(doomed.recoveries).toHaveLength(0);
    const { lines } = await readJobLog(storage, jobId, { offset: 0, limit: 10 });
    expect(lines.at(-1)?.content).toMatch(/INFO last words$/);
  });
});
