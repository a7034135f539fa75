import type { LedgerJob, StorageBackend } from '@holdfast/plugin-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { LedgerFollower } from '../../src/engine/jobs/ledger-follower.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { type MemoryLedger, memoryLedger } from '../fakes/memory-ledger.js';
import {
  type HeldHandler,
  heldHandler,
  insertRepository,
  memoryStorage,
  pass,
  request,
  startInstance,
} from './engine-world.js';

let storage: StorageBackend;
let ledger: MemoryLedger;
let handler: HeldHandler;
beforeEach(() => {
  vi.useFakeTimers();
  storage = memoryStorage();
  ledger = memoryLedger();
  handler = heldHandler();
});
afterEach(() => void vi.useRealTimers());

const start = () => startInstance({ storage, handlers: [handler], ledger });
const shown = () =>
  (ledger.of('job') as LedgerJob[]).map(({ id, status, progress, problem }) => ({
    id,
    status,
    progress,
    problem,
  }));
const look = 30_000;

async function insertEnded(count: number): Promise<void> {
  const row = {
    kind: 'backup' as const,
    status: 'completed' as const,
    repository_id: 1,
    requested_by: 'alice',
    repository_path: '/p',
    repository_name: 'home',
    requested_at: 1,
    completed_at: 2,
    parameters: {},
    progress: noProgress,
  };
  for (let each = 0; each < count; each += 1) await storage.insert(jobs, row);
}

test('follows a job from the queue over its progress to its end', async () => {
  const instance = start();
  const repository = await insertRepository(storage, 'home');
  await request(instance, repository);
  await request(instance, repository);
  await pass(1_000);
  expect(shown()).toEqual([
    { id: 2, status: 'pending', progress: null, problem: null },
    { id: 1, status: 'running', progress: 0, problem: null },
  ]);
  handler.runs[0]?.context.progress({ percent: 40.4 });
  await pass(2_000);
  expect(shown()[1]).toMatchObject({ status: 'running', progress: 40 });
  handler.runs[0]?.fail(new Error('on purpose'));
  await pass(1_000);
  expect(shown()).toMatchObject([
    { id: 2, status: 'running' },
    { id: 1, status: 'failed', progress: null, problem: expect.stringContaining('unexpected error') },
  ]);
});

test('leaves a job to the instance that runs it', async () => {
  const [first] = [start(), start()];
  await request(first, await insertRepository(storage, 'home'));
  await pass(2_000);
  ledger.writes.length = 0;
  handler.runs[0]?.context.progress({ percent: 40 });
  await pass(10_000);
  expect(ledger.writes.length).toBeLessThanOrEqual(10);
  expect(shown()).toMatchObject([{ status: 'running', progress: 40 }]);
});

test('leaves the progress of a job to the instance that runs it', async () => {
  await insertEnded(1);
  await start().stop(0);
  const [entry] = ledger.of('job') as LedgerJob[];
  if (!entry) throw new Error('no entry');
  await ledger.write([{ ...entry, progress: 40 }]);
  const wanted = async () => [{ ...entry, progress: 10 }];
  await new LedgerFollower(ledger, { series: 'job', wanted }).follow();
  expect(shown()).toMatchObject([{ progress: 40 }]);
});

test('brings all pages in step at the start', async () => {
  await insertEnded(1_200);
  await start().stop(0);
  expect(ledger.of('job')).toHaveLength(1_200);
  const right = ledger.of('job');
  const [entry] = right as LedgerJob[];
  if (!entry) throw new Error('no entry');
  ledger.entries.delete('job 3');
  await ledger.write([{ ...entry, id: 7, status: 'running' }]);
  await storage.remove(jobs, { id: 150 });
  ledger.writes.length = 0;
  await start().stop(0);
  expect(ledger.of('job')).toEqual(right.filter(({ id }) => id !== 150));
  expect(ledger.writes.toSorted()).toEqual(['job 3', 'job 7']);
});

test('writes all again within half a minute when the store was emptied', async () => {
  await insertEnded(1_200);
  start();
  await pass(1_000);
  ledger.entries.clear();
  await pass(look + 1_000);
  expect(ledger.of('job')).toHaveLength(1_200);
});

test('finds differences among old jobs in turn', async () => {
  await insertEnded(1_200);
  start();
  await pass(1_000);
  ledger.entries.delete('job 3');
  await storage.remove(jobs, { id: 150 });
  await pass(4 * look);
  expect(ledger.of('job').map(({ id }) => id)).toEqual(
    (await storage.find(jobs, { order: [['id', 'desc']] })).map(({ id }) => id),
  );
});

test('looks at once for differences when the store is back', async () => {
  await insertEnded(2);
  const instance = start();
  await pass(1_000);
  ledger.isDown = true;
  await request(instance, await insertRepository(storage, 'home'));
  await pass(5_000);
  handler.runs[0]?.finish();
  await pass(2_000);
  ledger.isDown = false;
  ledger.entries.clear();
  await pass(2_000);
  expect(shown().map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
});

test('writes the end of jobs before the service ends', async () => {
  const instance = start();
  await request(instance, await insertRepository(storage, 'home'));
  await pass(500);
  const stopped = instance.stop(0);
  await pass(1_000);
  await stopped;
  expect(shown()).toMatchObject([{ status: 'failed', problem: expect.stringContaining('Interrupted') }]);
});
