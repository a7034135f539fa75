import { type StorageBackend, StoreError } from '@holdfast/plugin-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repositories } from '../../src/backup/repositories/tables.js';
import { inOwnTransaction } from '../../src/engine/jobs/own-transaction.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { patientReads, untilStored } from '../../src/foundation/kernel/transactions.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import {
  heldHandler,
  type Instance,
  insertRepository,
  jobRow,
  memoryStorage,
  pass,
  request,
  startInstance,
} from '../jobs/engine-world.js';

let storage: StorageBackend;
let instance: Instance;
let job: JobRow;

beforeEach(async () => {
  vi.useFakeTimers();
  storage = memoryStorage();
  instance = startInstance({ storage, handlers: [heldHandler()] });
  const { id } = await request(instance, await insertRepository(storage, 'photos'));
  await pass(10);
  job = await jobRow(storage, id);
});
afterEach(async () => {
  const stopped = instance.stop(0);
  await pass(60_000);
  await stopped;
  vi.useRealTimers();
});

/** What became of a promise so far. */
function follow<T>(work: Promise<T>) {
  const seen: { value?: T; error?: unknown } = {};
  work.then(
    (value) => Object.assign(seen, { value }),
    (error: unknown) => Object.assign(seen, { error }),
  );
  return seen;
}

test('waits with the reads of a job until the storage is back', async () => {
  const view = faultyStorage(storage);
  view.become('down');
  const reads = patientReads(view);
  const rows = follow(reads.find(repositories));
  const counted = follow(reads.aggregate(repositories, { measures: { first: { min: 'id' } } }));
  await pass(300_000);
  expect([rows, counted]).toEqual([{}, {}]);
  view.become('well');
  await pass(2_000);
  expect(rows.value).toMatchObject([{ name: 'photos' }]);
  expect(counted.value).toHaveLength(1);
});

test('repeats the writes of a job, but writes nothing for a lost job', async () => {
  const view = faultyStorage(storage);
  view.become('down');
  const write = vi.fn(async () => 'written');
  const mine = follow(inOwnTransaction(view, job, write));
  const lost = follow(inOwnTransaction(view, { ...job, fence: job.fence - 1 }, write));
  await pass(60_000);
  expect(write).not.toHaveBeenCalled();
  view.become('well');
  await pass(2_000);
  expect(mine.value).toBe('written');
  expect(lost.error).toMatchObject({ reason: 'lost' });
  expect(write).toHaveBeenCalledOnce();
});

test('rejects other errors at once and stops waiting when aborted', async () => {
  const refused = new StoreError('unique', 'Taken.', { key: 'name' });
  await expect(untilStored(() => Promise.reject(refused))).rejects.toBe(refused);
  const away = vi.fn(() => Promise.reject(new StoreError('unavailable', 'The storage is away.')));
  const end = new AbortController();
  const onAway = vi.fn();
  const waiting = follow(untilStored(away, { signal: end.signal, onAway }));
  await pass(5_000);
  expect(away.mock.calls.length).toBeGreaterThan(3);
  expect(onAway).toHaveBeenCalledTimes(away.mock.calls.length);
  end.abort(new Error('enough'));
  await pass(10);
  expect(waiting.error).toMatchObject({ message: 'enough' });
  expect((await storage.find(jobs)).length).toBe(1);
});
