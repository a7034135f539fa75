import type { LedgerPlan } from '@holdfast/plugin-api';
import { beforeEach, expect, test, vi } from 'vitest';
import { plannedDrills } from '../../src/backup/drills/drill-schedules.js';
import { plannedChecks } from '../../src/backup/maintenance/check-schedules.js';
import { checkSchedules } from '../../src/backup/maintenance/tables.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { plannedBackups } from '../../src/backup/schedules/fire-schedule.js';
import { schedules } from '../../src/backup/schedules/tables.js';
import { type MemoryLedger, memoryLedger } from '../fakes/memory-ledger.js';
import { makeWorld, type World } from './world.js';

let ledger: MemoryLedger;
let world: World;
beforeEach(async () => {
  ledger = memoryLedger();
  world = makeWorld(undefined, undefined, ledger);
  await world.addRepository('home');
  world.runner.start();
  await world.runner.look();
});

const plans = () => ledger.of('schedule') as LedgerPlan[];
const until = (expected: object[]) => vi.waitFor(() => expect(plans()).toMatchObject(expected));
const nightly: LedgerPlan = {
  kind: 'schedule',
  id: 1,
  key: 'schedule:1',
  name: 'nightly',
  cron: '0 3 1 1 *',
  zone: 'Europe/Berlin',
  at: Date.parse('2027-01-01T02:00:00Z'),
  lastRun: null,
};
const create = () => world.create({ cron_expression: '0 3 1 1 *', timezone: 'Europe/Berlin' });

test('holds schedules with any next run, and no other timers', async () => {
  await create();
  await vi.waitFor(() => expect(plans()).toEqual([nightly]));
  expect(world.timers.keys).toEqual([]);
});

test('follows a change, a switch and a removal', async () => {
  await create();
  await until([nightly]);
  await world.update(1, { name: 'yearly', cron_expression: '0 4 1 1 *' });
  await until([{ ...nightly, name: 'yearly', cron: '0 4 1 1 *', at: Date.parse('2027-01-01T03:00:00Z') }]);
  await world.toggleSchedule(1);
  await until([]);
  await vi.waitFor(() => expect(plans()).toEqual([]));
  await world.toggleSchedule(1);
  await until([{ name: 'yearly' }]);
  await world.deleteSchedule(1);
  await vi.waitFor(() => expect(plans()).toEqual([]));
});

test('has the next time of each schedule that fired, and when it ran', async () => {
  for (const name of ['a', 'b']) await world.create({ name, cron_expression: '0 * * * *' });
  await until([{ name: 'b' }, { name: 'a' }]);
  await world.lookAt('2026-03-01T13:00:00.400Z');
  const [at, lastRun] = [Date.parse('2026-03-01T14:00:00Z'), Date.parse('2026-03-01T13:00:00.400Z')];
  await until([
    { name: 'b', at, lastRun },
    { name: 'a', at, lastRun },
  ]);
});

test('brings the ledger in step with the rows from any state', async () => {
  await create();
  await until([nightly]);
  const { storage } = world;
  const [first] = await storage.find(schedules);
  if (!first) throw new Error('no schedule');
  const { id: _, ...row } = first;
  for (let each = 2; each <= 1_100; each += 1) await storage.insert(schedules, { ...row, name: `s${each}` });
  await plannedBackups.timers.follower(world)?.();
  const right = plans();
  expect(right).toHaveLength(1_100);
  ledger.entries.delete('schedule 3');
  await ledger.write([
    { ...nightly, id: 5_000 },
    { ...nightly, id: 7, name: 'before' },
    { kind: 'schedule', id: 8 } as LedgerPlan,
  ]);
  ledger.writes.length = 0;
  await plannedBackups.timers.follower(world)?.();
  expect(plans()).toEqual(right);
  expect(ledger.writes.toSorted()).toEqual(['schedule 3', 'schedule 7', 'schedule 8']);
});

test('gives checks the names of their repositories, and leaves other kinds alone', async () => {
  const plan = { cron_expression: '0 5 * * *', timezone: 'UTC', enabled: true, next_run: 5_000 };
  const own = { max_duration: 0, verify_data: false, notify_on_success: false, notify_on_failure: true };
  const [home] = await world.storage.find(repositories);
  await world.storage.insert(checkSchedules, { ...plan, ...own, repository_id: home?.id ?? 0 });
  await create();
  await until([nightly]);
  await plannedChecks.timers.follower(world)?.();
  await plannedDrills.timers.follower(world)?.();
  expect(ledger.of('check schedule')).toEqual([
    {
      kind: 'check schedule',
      id: 1,
      key: 'check:1',
      name: 'home',
      cron: '0 5 * * *',
      zone: 'UTC',
      at: 5_000,
      lastRun: null,
    },
  ]);
  expect([plans().length, ledger.of('drill schedule')]).toEqual([1, []]);
});

test('does no harm when the store is down', async () => {
  ledger.isDown = true;
  await create();
  await plannedBackups.timers.follower(world)?.();
  ledger.isDown = false;
  await plannedBackups.timers.follower(world)?.();
  expect(plans()).toEqual([nightly]);
});
