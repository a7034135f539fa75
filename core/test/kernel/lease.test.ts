import { col, entity, type RowOf } from '@holdfast/plugin-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { heldRow, keepLease, takeLease } from '../../src/foundation/kernel/lease.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const things = entity('thing', {
  id: col.id(),
  state: col.text().default('open'),
  lease_until: col.timestamp.nullable(),
  fence: col.integer.default(0),
});
const clock = { now: () => Date.now() };
const times = { leaseMs: 10_000, renewMs: 3_000 };

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

async function scene(options: { confirmed?: boolean } = {}) {
  const storage = faultyStorage(memoryStorage());
  const seen = await storage.insert(things, {});
  const take = (row: RowOf<typeof things>, where = {}) =>
    takeLease(storage, things, row, { where, patch: { lease_until: clock.now() + times.leaseMs } });
  const errors: unknown[] = [];
  const keep = (row: RowOf<typeof things>) =>
    keepLease(things, row, { ...times, ...options, storage, clock, onError: (error) => errors.push(error) });
  const row = async () => (await storage.find(things, { where: { id: seen.id } }))[0];
  return { storage, seen, take, keep, errors, row };
}

test('gives a row to one of two that take it as they read it', async () => {
  const { seen, take, row } = await scene();
  const taken = await Promise.all([take(seen), take(seen)]);
  expect(taken.filter((each) => each !== null)).toHaveLength(1);
  expect(await row()).toMatchObject({ fence: 1, lease_until: 1_010_000 });
});

test('does not take a row whose state has changed', async () => {
  const { storage, seen, take } = await scene();
  await storage.update(things, { id: seen.id }, { state: 'closed' });
  expect(await take(seen, { state: 'open' })).toBeNull();
});

test('renews a lease until it is stopped', async () => {
  const { seen, take, keep, row } = await scene();
  const lease = keep((await take(seen)) ?? seen);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await row()).toMatchObject({ lease_until: 1_016_000 });
  await lease.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await row()).toMatchObject({ lease_until: 1_016_000 });
  expect([lease.lost.aborted, vi.getTimerCount()]).toEqual([false, 0]);
});

test('loses a lease when another run takes the row, and writes nothing more', async () => {
  const { storage, seen, take, keep, row } = await scene();
  const first = (await take(seen)) ?? seen;
  const lease = keep(first);
  await take(first);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(lease.lost.aborted).toBe(true);
  expect(await lease.confirm()).toBe(false);
  await lease.giveBack();
  expect(await row()).toMatchObject({ fence: 2, lease_until: 1_010_000 });
  expect(await storage.update(things, heldRow(first), { state: 'closed' })).toBe(0);
});

test('gives a lease back, so that it has ended', async () => {
  const { seen, take, keep, row } = await scene();
  await keep((await take(seen)) ?? seen).giveBack();
  expect(await row()).toMatchObject({ lease_until: 0 });
});

test('keeps a lease while the storage is away, but does not confirm it', async () => {
  const { storage, seen, take, keep, errors } = await scene();
  const lease = keep((await take(seen)) ?? seen);
  expect(await lease.confirm()).toBe(true);
  storage.become('down');
  await vi.advanceTimersByTimeAsync(12_000);
  expect([await lease.confirm(), lease.lost.aborted]).toEqual([false, false]);
  expect(errors.length).toBeGreaterThan(3);
  await lease.giveBack();
});

test('loses an unconfirmed lease at its end if confirmation is required', async () => {
  const { storage, seen, take, keep } = await scene({ confirmed: true });
  const lease = keep((await take(seen)) ?? seen);
  storage.become('down');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(lease.lost.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(lease.lost.aborted).toBe(true);
  await lease.stop();
});
