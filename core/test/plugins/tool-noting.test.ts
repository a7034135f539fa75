import { type StorageBackend, StoreError } from '@holdfast/plugin-api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { jobs } from '../../src/engine/jobs/tables.js';
import { type FaultyStorage, faultyStorage } from '../fakes/faulty-storage.js';
import {
  type HeldHandler,
  heldHandler,
  type Instance,
  insertRepository,
  jobRow,
  memoryStorage,
  pass,
  request,
  startInstance,
  tool,
} from '../jobs/engine-world.js';

let storage: StorageBackend;
let view: FaultyStorage;
let handler: HeldHandler;
let started: Instance[];
let jobId: number;

beforeEach(async () => {
  vi.useFakeTimers();
  storage = memoryStorage();
  started = [];
});

afterEach(async () => {
  view.become('down');
  const stopped = Promise.all(started.map((instance) => instance.stop(0)));
  await pass(60_000);
  await stopped;
  vi.useRealTimers();
});

/** A job that is about to start its tool, on an instance with a view of its own. */
async function begin(seen: StorageBackend = storage) {
  view = faultyStorage(seen);
  handler = heldHandler();
  const instance = startInstance({ storage: view, handlers: [handler] });
  started.push(instance);
  jobId = (await request(instance, await insertRepository(storage, 'photos'))).id;
  await pass(10);
}

/** What the driver waits for before it lets the tool begin. */
function note() {
  const seen: { state: 'waiting' | 'noted' | 'refused' } = { state: 'waiting' };
  Promise.resolve(handler.runs[0]?.context.toolOptions().onProcess?.(tool)).then(
    () => {
      seen.state = 'noted';
    },
    () => {
      seen.state = 'refused';
    },
  );
  return seen;
}

it('lets the tool begin when its process is in the row', async () => {
  await begin();
  const noted = note();
  await pass(10);
  expect(noted.state).toBe('noted');
  expect((await jobRow(storage, jobId)).tool).toEqual(tool);
});

it('lets the tool wait as long as the storage is away', async () => {
  await begin();
  view.become('down');
  const noted = note();
  await pass(5_000);
  expect(noted.state).toBe('waiting');
  view.become('well');
  await pass(3_000);
  expect(noted.state).toBe('noted');
  expect((await jobRow(storage, jobId)).tool).toEqual(tool);
});

it('starts no tool for a job that was taken over', async () => {
  await begin();
  view.become('frozen');
  const noted = note();
  const other = heldHandler();
  started.push(startInstance({ storage, handlers: [other] }));
  await pass(30_000);
  expect(other.recoveries).toHaveLength(1);
  expect(noted.state).toBe('waiting');
  view.become('well');
  await pass(10);
  expect(noted.state).toBe('noted');
  expect(handler.runs[0]?.context.signal.aborted).toBe(true);
  expect((await jobRow(storage, jobId)).tool).toBeNull();
});

it('starts no tool if the storage refuses its process', async () => {
  const refusing: StorageBackend = {
    ...storage,
    update: async (entity, where, patch) => {
      if (entity === (jobs as unknown) && 'tool' in patch) throw new StoreError('invalid', 'No such column.');
      return storage.update(entity, where, patch);
    },
  };
  await begin(refusing);
  const noted = note();
  await pass(10);
  expect(noted.state).toBe('refused');
});
