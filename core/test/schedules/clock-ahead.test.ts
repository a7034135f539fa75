import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeSlotWorker, type SlotWorker } from '../../src/backup/schedules/calendar/index.js';
import { plannedBackups } from '../../src/backup/schedules/fire-schedule.js';
import { slots } from '../../src/backup/schedules/tables.js';
import { makeWorld, type World } from './world.js';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const start = Date.parse('2026-03-01T12:10:30Z');
const rules: [cron: string, period: number][] = [
  ['* * * * *', minute],
  ['0 * * * *', hour],
  ['0 2 * * *', day],
  ['0 2 * * 0', 7 * day],
];

let world: World;
let worker: SlotWorker;

beforeEach(async () => {
  world = makeWorld();
  await world.addRepository('home');
  world.clock.set(start);
  for (const [cron_expression] of rules) await world.create({ name: cron_expression, cron_expression });
  worker = makeSlotWorker(world.dependencies, [plannedBackups], { scanEvery: 2, tendEvery: 2 });
  worker.start();
});
afterEach(() => worker.stop());

const next = async (id: number) => (await world.row(id))?.next_run ?? Number.POSITIVE_INFINITY;
const ids = rules.map((_, n) => n + 1);

async function settle() {
  await worker.look();
  for (const job of await world.jobs()) if (job.status === 'pending') await world.endJob(job);
}

/** The clock is ahead for a while, in which everything that is due runs. */
async function excursion(ahead: number, restart: boolean) {
  world.clock.set(start + ahead);
  const isPlanned = async (id: number) => expect(await next(id)).toBeGreaterThan(start + ahead);
  await vi.waitFor(() => Promise.all(ids.map(isPlanned)), { timeout: 20_000 });
  await settle();
  if (restart) await worker.stop();
  world.clock.set(start + 5_000);
  if (!restart) return;
  worker = makeSlotWorker(world.dependencies, [plannedBackups], { scanEvery: 2, tendEvery: 2 });
  worker.start();
}

const cases = [hour, day, 365 * day].flatMap((ahead) => [
  { hours: ahead / hour, ahead, restart: false },
  { hours: ahead / hour, ahead, restart: true },
]);

it.each(cases)(
  'plans the next run in time after a clock $hours h ahead (restarted: $restart)',
  async ({ ahead, restart }) => {
    await excursion(ahead, restart);
    for (const [n, [, period]] of rules.entries()) {
      await vi.waitFor(
        async () => expect((await next(n + 1)) - world.clock.now()).toBeLessThanOrEqual(period),
        { timeout: 20_000 },
      );
    }
  },
);

it.each(['missed', 'skipped', 'refused', 'disabled'] as const)(
  'runs again at the true time despite slots a fast clock recorded as %s',
  async (outcome) => {
    await excursion(day, true);
    await world.dependencies.storage.update(slots, { outcome: 'missed' }, { outcome });
    const before = (await world.jobs()).length;
    const lookAt = async (time: string) => {
      world.clock.set(Date.parse(time));
      await settle();
      return (await world.jobs()).length - before;
    };
    await vi.waitFor(async () => expect(await next(2)).toBe(Date.parse('2026-03-01T13:00:00Z')));
    // Each hour was recorded as not run but the last one, and the night was run.
    expect(await lookAt('2026-03-01T13:00:01Z')).toBe(2);
    expect(await next(3)).toBe(Date.parse('2026-03-02T02:00:00Z'));
    await lookAt('2026-03-02T01:59:59Z');
    const jobs = (await world.jobs()).length;
    await lookAt('2026-03-02T02:00:01Z');
    expect((await world.jobs()).slice(jobs).map(({ requested_by }) => requested_by)).toContain('0 2 * * *');
    const nightly = (await world.slots()).filter(({ schedule_id }) => schedule_id === 3);
    expect(nightly.map(({ planned_at, reason_code }) => [planned_at, reason_code])).toEqual([
      [Date.parse('2026-03-02T02:00:00Z') - 1, 'run_by_clock_ahead'],
      [Date.parse('2026-03-02T02:00:00Z'), null],
    ]);
  },
);

it('leaves a plan alone when another instance is a few minutes ahead', async () => {
  world.clock.set(start + 5 * minute);
  await vi.waitFor(async () => expect(await next(1)).toBeGreaterThan(start + 5 * minute));
  const planned = await next(1);
  world.clock.set(start);
  await new Promise((done) => setTimeout(done, 50));
  await worker.look();
  expect(await next(1)).toBe(planned);
});

it('sets the timer of a run once it is near', async () => {
  world.timers.keys.length = 0;
  world.clock.set(Date.parse('2026-03-01T12:59:00Z'));
  await vi.waitFor(() => expect(world.timers.keys).toContain('schedule:2'), { timeout: 20_000 });
});
