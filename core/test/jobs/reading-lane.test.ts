import type { StorageBackend } from '@holdfast/plugin-api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RepositoryRow } from '../../src/backup/repositories/tables.js';
import { lanes } from '../../src/engine/jobs/tables.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import {
  heldHandler,
  holdersOf,
  type Instance,
  insertRepository,
  memoryStorage,
  pass,
  request,
  startInstance,
} from './engine-world.js';

let storage: StorageBackend;
let repository: RepositoryRow;
let handler: ReturnType<typeof heldHandler>;
let instance: Instance;

beforeEach(async () => {
  vi.useFakeTimers();
  storage = memoryStorage();
  repository = await insertRepository(storage, 'photos');
  handler = heldHandler();
  instance = startInstance({ storage, handlers: [handler] });
  await pass(10);
});

afterEach(async () => {
  const stopped = instance.stop(0);
  await pass(20_000);
  await stopped;
  vi.useRealTimers();
});

/** A reader that stays until it is let go. */
function reader(by: Instance = instance, waitMs?: number) {
  let leave = () => {};
  const state = { inside: false };
  const stay = new Promise<void>((resolve) => (leave = resolve));
  const done = by.lanes.withLane(
    repository.id,
    'a listing of archive one',
    async () => {
      state.inside = true;
      await stay;
      return 'read';
    },
    waitMs,
  );
  done.catch(() => undefined);
  return { state, leave, done };
}

describe('a reader', () => {
  it('shares the lane with other readers and leaves it', async () => {
    const [one, two] = [reader(), reader()];
    await pass(10);
    expect([one.state.inside, two.state.inside]).toEqual([true, true]);
    one.leave();
    two.leave();
    expect(await one.done).toBe('read');
    await two.done;
    expect(await holdersOf(storage, repository.id)).toEqual([]);
  });

  it('leaves the lane when its work fails', async () => {
    const work = instance.lanes.withLane(repository.id, 'x', () => Promise.reject(new Error('no')));
    await expect(work).rejects.toThrow('no');
    expect(await holdersOf(storage, repository.id)).toEqual([]);
  });

  it('waits for a job and starts as soon as it ends', async () => {
    await request(instance, repository);
    await pass(10);
    const one = reader();
    await pass(5_200);
    expect(one.state.inside).toBe(false);
    handler.runs[0]?.finish();
    await pass(5);
    expect(one.state.inside).toBe(true);
    one.leave();
    await one.done;
  });

  it('learns of a lane that another instance released', async () => {
    const other = startInstance({ storage, handlers: [heldHandler()] });
    await request(instance, repository);
    await pass(10);
    const one = reader(other);
    await pass(1_200);
    handler.runs[0]?.finish();
    await pass(600);
    expect(one.state.inside).toBe(true);
    one.leave();
    await Promise.all([one.done, other.stop(0)]);
  });

  it('is refused after its wait with the holder and a retry time', async () => {
    await request(instance, repository);
    await pass(10);
    const one = reader(instance, 2_000);
    await pass(1_990);
    expect(one.state.inside).toBe(false);
    await pass(20);
    await expect(one.done).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('backup job 1 of repository photos'),
      retryAfterSeconds: 20,
    });
    expect(await holdersOf(storage, repository.id)).toEqual(['job:1']);
  });

  it('keeps jobs out as long as it reads, however long', async () => {
    const one = reader();
    await pass(10);
    await request(instance, repository);
    await pass(65_000);
    expect(handler.runs).toHaveLength(0);
    one.leave();
    await one.done;
    await pass(5);
    expect(handler.runs).toHaveLength(1);
  });

  it('does not pass a job that waits for readers to end', async () => {
    const one = reader();
    await pass(10);
    await request(instance, repository);
    const two = reader();
    await pass(5_000);
    expect(two.state.inside).toBe(false);
    one.leave();
    await pass(10);
    expect(handler.runs).toHaveLength(1);
    handler.runs[0]?.finish();
    await pass(10);
    expect(two.state.inside).toBe(true);
    two.leave();
    await Promise.all([one.done, two.done]);
  });

  it('loses the lane when its process vanished', async () => {
    const view = faultyStorage(storage);
    const vanished = startInstance({ storage: view, handlers: [] });
    const one = reader(vanished);
    await pass(10);
    view.become('down');
    await request(instance, repository);
    await pass(15_000);
    expect(handler.runs).toHaveLength(0);
    await pass(10_000);
    expect(handler.runs).toHaveLength(1);
    one.leave();
    await one.done;
    await vanished.stop(0);
  });

  it('makes the lane of a repository once', async () => {
    const readers = [reader(), reader(), reader()];
    await pass(10);
    expect(await storage.find(lanes)).toHaveLength(1);
    for (const { leave, done } of readers) {
      leave();
      await done;
    }
  });
});

describe('an exclusive user of the lane', () => {
  const alone = (work = async () => 'done') =>
    instance.lanes.aloneInLane(repository.id, 'the breaking', work);

  it('is refused at once with the holder while a reader or job uses it', async () => {
    const one = reader();
    await pass(10);
    await expect(alone()).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('a listing of archive one'),
    });
    one.leave();
    await one.done;
    const job = await request(instance, repository);
    await pass(10);
    await expect(alone()).rejects.toMatchObject({ detail: expect.stringContaining(`backup job ${job.id}`) });
  });

  it('keeps readers and jobs out until it is done', async () => {
    let leave = () => {};
    const stay = new Promise<void>((resolve) => (leave = resolve));
    const done = alone(async () => {
      await stay;
      return 'done';
    });
    await pass(10);
    const job = await request(instance, repository);
    const one = reader();
    await pass(5_000);
    expect([handler.runs.length, one.state.inside]).toEqual([0, false]);
    const seen = instance.queue.whenEnded(job.id, 'backup', 900);
    const ended = instance.queue.whenEnded(job.id, 'backup', 60_000);
    await pass(1_000);
    expect(await seen).toMatchObject({ status: 'pending', waiting_for: 'the breaking' });
    leave();
    await pass(1_000);
    expect(await done).toBe('done');
    expect(handler.runs).toHaveLength(1);
    handler.runs[0]?.finish();
    await pass(1_000);
    expect(await ended).toMatchObject({ status: 'completed' });
    one.leave();
    await one.done;
  });
});
