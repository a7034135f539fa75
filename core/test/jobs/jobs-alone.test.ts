import type { StorageBackend } from '@holdfast/plugin-api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type HeldHandler,
  heldHandler,
  type Instance,
  type InstanceOptions,
  jobRow,
  memoryStorage,
  pass,
  startInstance,
} from './engine-world.js';

/* Jobs that belong to no repository: they take a place and no lane, and are otherwise like all others. */
let storage: StorageBackend;
let started: Instance[];

beforeEach(() => {
  vi.useFakeTimers();
  storage = memoryStorage();
  started = [];
});
afterEach(async () => {
  const stopped = Promise.all(started.map((instance) => instance.stop(0)));
  await pass(60_000);
  await stopped;
  vi.useRealTimers();
});

function start(handlers: HeldHandler[], more: Partial<InstanceOptions> = {}) {
  const instance = startInstance({ storage, handlers, ...more });
  started.push(instance);
  return instance;
}

async function insert({ queue: jobs }: Instance): Promise<number> {
  const repository = { id: null, path: '/srv', name: '/srv' };
  const job = await jobs.insert({ kind: 'discovery', repository, parameters: {}, requestedBy: 'ann' });
  jobs.wake(job.id);
  await pass(10);
  return job.id;
}

it('run in parallel and have no repository', async () => {
  const handler = heldHandler('discovery', 'none');
  const instance = start([handler]);
  const ids = [await insert(instance), await insert(instance)];
  expect(handler.runs).toHaveLength(2);
  expect(() => handler.runs[0]?.context.repository).toThrow(/no repository/);
  for (const run of handler.runs) run.finish();
  await pass(10);
  for (const id of ids)
    expect(await jobRow(storage, id)).toMatchObject({ status: 'completed', repository_id: null });
});

it('wait for a job slot and are cancelled while pending or running', async () => {
  const handler = heldHandler('discovery', 'none');
  const instance = start([handler], { maxConcurrentJobs: 1 });
  const [first, second, third] = [await insert(instance), await insert(instance), await insert(instance)];
  expect((await jobRow(storage, second)).waiting_for).toMatch(/a free job slot/);
  await instance.queue.cancel(second, 'discovery');
  const cancelling = instance.queue.cancel(first, 'discovery');
  await pass(100);
  await cancelling;
  await pass(5_000);
  const status = async (id: number) => (await jobRow(storage, id)).status;
  expect([await status(first), await status(second), await status(third)]).toEqual([
    ...['cancelled', 'cancelled', 'running'],
  ]);
});

it('are recovered when their instance vanished', async () => {
  const doomed = heldHandler('discovery', 'none');
  const instance = start([doomed]);
  const id = await insert(instance);
  await storage.update(
    (await import('../../src/engine/jobs/tables.js')).jobs,
    { id },
    { fence: 100, lease_until: 0 },
  );
  const heir = heldHandler('discovery', 'none');
  start([heir]);
  await pass(120_000);
  expect(heir.recoveries).toHaveLength(1);
  heir.recoveries[0]?.finish({ status: 'failed' });
  await pass(10);
  expect((await jobRow(storage, id)).status).toBe('failed');
});

it('fail if no handler knows their kind', async () => {
  const instance = start([heldHandler('backup')]);
  const repository = { id: null, path: '/srv', name: '/srv' };
  const job = await instance.queue.insert({ kind: 'backup', repository, parameters: {}, requestedBy: 'ann' });
  instance.queue.wake(job.id);
  await pass(5_000);
  expect((await jobRow(storage, job.id)).status).toBe('failed');
});
