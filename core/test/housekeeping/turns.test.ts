import { expect, it, vi } from 'vitest';
import { makeHousekeepingWorker } from '../../src/app/housekeeping/housekeeping-worker.js';
import { rules, type TableBound, tableBounds, takeRule } from '../../src/app/housekeeping/rules.js';
import { housekeeping } from '../../src/app/housekeeping/tables.js';
import { allEntities } from '../../src/app/schema/tables.js';
import { downloadTickets } from '../../src/foundation/accounts/tables.js';
import { day, makeWorld } from './world.js';

it('declares an existing bound for each table and no unused rule', () => {
  const bounds = Object.entries(tableBounds);
  const names = allEntities.map(({ name }) => name);
  expect(bounds.map(([name]) => name).toSorted()).toEqual([...names].toSorted());
  const named = bounds.flatMap(([, bound]) => ('removedBy' in bound ? [bound.removedBy] : []));
  expect(named.toSorted()).toEqual(Object.keys(rules).toSorted());
  const lastOf = (bound?: TableBound): TableBound | undefined =>
    bound && 'with' in bound ? lastOf(tableBounds[bound.with]) : bound;
  for (const [name, bound] of bounds) expect(lastOf(bound), name).toBeDefined();
});

it('gives a due rule to one of many processes', async () => {
  const { storage, clock } = makeWorld();
  const every = 600_000;
  const take = () => takeRule(storage, { rule: 'old jobs', now: clock.now(), every });
  const takers = async () =>
    (await Promise.all(Array.from({ length: 20 }, take))).filter((row) => row).length;
  expect(await takers()).toBe(1);
  clock.advance(every - 1);
  expect(await takers()).toBe(0);
  clock.advance(1);
  expect(await takers()).toBe(1);
});

it('takes a rule that a clock far ahead postponed', async () => {
  const { storage, clock } = makeWorld();
  await storage.insert(housekeeping, { rule: 'old jobs', due_at: clock.now() + 400 * day });
  expect(await takeRule(storage, { rule: 'old jobs', now: clock.now(), every: 600_000 })).not.toBeNull();
});

it('logs a failing rule and runs the others', async () => {
  const { storage, clock, log } = makeWorld();
  const warn = vi.spyOn(log, 'warn');
  await storage.insert(downloadTickets, {
    hash: 'h',
    object_hash: 'o',
    user_id: 1,
    token_id: 1,
    expires_at: clock.now() - 1,
  });
  const remove: typeof storage.remove = (entity, where) => {
    if (entity.name === 'download_ticket') throw new Error('no');
    return storage.remove(entity, where);
  };
  await makeHousekeepingWorker({ storage: { ...storage, remove }, clock, log }).round();
  expect(warn.mock.calls.map(([text]) => text)).toEqual(['could not remove expired download tickets']);
  expect(await storage.find(housekeeping)).toHaveLength(Object.keys(rules).length);
});

it('stops between two batches, and leaves the rest to a later turn', async () => {
  const { storage, clock, log } = makeWorld();
  for (let n = 0; n < 1_000; n++) {
    await storage.insert(downloadTickets, {
      hash: `${n}`,
      object_hash: 'o',
      user_id: 1,
      token_id: 1,
      expires_at: clock.now() - 1,
    });
  }
  let stopped: Promise<void> | undefined;
  const remove: typeof storage.remove = (entity, where) => {
    if (entity.name === 'download_ticket') stopped ??= keeper.stop();
    return storage.remove(entity, where);
  };
  const keeper = makeHousekeepingWorker({ storage: { ...storage, remove }, clock, log });
  keeper.start();
  await vi.waitFor(() => expect(stopped).toBeDefined(), 20_000);
  await stopped;
  const left = (await storage.find(downloadTickets)).length;
  expect(left).toBe(800);
  expect(await storage.find(housekeeping)).toHaveLength(2);
});
