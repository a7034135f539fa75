import { beforeEach, expect, it } from 'vitest';
import { archives } from '../../src/backup/repositories/tables.js';
import { parseCron } from '../../src/backup/schedules/calendar/index.js';
import { scheduleRepositories, schedules, slots } from '../../src/backup/schedules/tables.js';
import { makeReportWorker } from '../../src/insight/incidents/weekly-report.js';
import { hour, type IncidentWorld, incidentWorld } from './world.js';

const day = 24 * hour;
/** A Monday. */
const monday = Date.UTC(2030, 0, 7, 8);
const never = 2 ** 31 - 1;
let world: IncidentWorld;
const worker = (cron = '0 8 * * 1') => {
  const made = makeReportWorker(world.needs, parseCron(cron, 'UTC'), { lookEvery: never });
  made.start();
  return made;
};
const reports = async () => (await world.happened('report_weekly')).map(({ setting_id }) => setting_id);

beforeEach(() => {
  world = incidentWorld();
  world.clock.set(monday - 3 * day);
});

it('is sent once by two instances, to each setting that wants it', async () => {
  await world.create();
  await world.create({ notify_on_report_weekly: false });
  const [one, other] = [worker(), worker()];
  await Promise.all([one.look(), other.look()]);
  world.clock.set(monday - 1);
  await Promise.all([one.look(), other.look()]);
  expect(await reports()).toEqual([]);
  world.clock.set(monday);
  await Promise.all([one.look(), other.look(), one.look()]);
  expect(await world.told()).toEqual(['report_weekly to 1']);
  world.clock.set(monday + 7 * day);
  await Promise.all([one.look(), other.look()]);
  expect(await reports()).toEqual([1, 1]);
});

it('is caught up once, however long nothing ran', async () => {
  await world.create();
  await worker().look();
  world.clock.set(monday + 30 * day);
  const later = worker();
  await later.look();
  await later.look();
  expect(await reports()).toEqual([1]);
});

it('is sent within a week when the clock was a year ahead', async () => {
  await world.create();
  await worker().look();
  world.clock.set(monday + 365 * day);
  await worker().look();
  world.clock.set(monday - 2 * day);
  const back = worker();
  await back.look();
  world.clock.set(monday);
  await back.look();
  expect(await reports()).toEqual([1, 1]);
});

it('follows a changed plan, even to an earlier time', async () => {
  await world.create();
  await worker().look();
  world.clock.set(monday - 2 * day);
  const daily = worker('0 8 * * *');
  await daily.look();
  expect(await reports()).toEqual([]);
  world.clock.set(monday - day);
  await daily.look();
  expect(await reports()).toEqual([1]);
});

it('covers the week, and for a channel only its own repositories', async () => {
  const { storage, clock } = world;
  const [home, nas] = [await world.repository('home'), await world.repository('nas')];
  await world.create();
  await world.create({ monitor_all_repositories: false, repository_ids: [nas.id] });
  const schedule = { cron_expression: '0 2 * * *', timezone: 'UTC', catch_up: 'one' as const };
  const times = { created_at: 0, updated_at: 0 };
  const one = await storage.insert(schedules, { ...schedule, ...times, name: 'one' });
  await storage.insert(scheduleRepositories, { schedule_id: one.id, repository_id: home.id, position: 0 });
  const slot = { schedule_id: one.id, trigger: 'schedule' as const, job_ids: [] };
  const planned = ['completed', 'completed_with_warnings', 'failed', 'missed'] as const;
  for (const [n, outcome] of planned.entries()) {
    await storage.insert(slots, { ...slot, outcome, planned_at: clock.now() + n, count: n === 3 ? 5 : 1 });
  }
  await storage.insert(slots, { ...slot, outcome: 'completed', planned_at: clock.now() - 30 * day });
  await storage.insert(slots, {
    ...slot,
    outcome: 'completed',
    planned_at: clock.now() + 9,
    trigger: 'run_now',
  });
  await world.archive(home, clock.now());
  await world.archive(home, clock.now() - 30 * day);
  await storage.update(archives, {}, { deduplicated_size: 2_048 });
  const theirs = clock.now() + 1;
  await world.archive(home, theirs);
  await storage.update(archives, { start: theirs }, { deduplicated_size: 9_999, measured_at: 1 });
  await world.set(home.id, { last_check: monday - 9 * day });
  const report = worker();
  await report.look();
  clock.set(monday);
  for (const { id } of [home, nas]) await world.set(id, { inventory_at: monday });
  await world.look();
  await report.look();
  const reported = (await world.told()).filter((told) => told.startsWith('report_weekly'));
  expect(reported).toEqual(['report_weekly to 1', 'report_weekly to 2']);
  const [all, some] = await world.happened('report_weekly');
  expect(all?.report).toMatchObject({
    repositories: { protected: 0, late: 2, unknown: 0, damaged: 0 },
    runs: { planned: 8, ran: 3, failed: 1 },
    growth: { archives: 2, bytes: 2_048 },
    oldest_check: { repository: 'nas', at: null },
    open_incidents: 2,
  });
  expect(some?.report).toMatchObject({
    repositories: { late: 1 },
    runs: { planned: 0 },
    growth: { archives: 0 },
    open_incidents: 1,
    next_steps: [expect.stringMatching(/^nas has no archive/)],
  });
});
