import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  allEntities,
  type Dependencies,
  makeEventBus,
  makeJobEngine,
  makePlanWorker,
  makeUseCases,
  schemaVersions,
} from '@holdfast/core/server';
import type { PluginContext, StorageBackend } from '@holdfast/plugin-api';
import sqlite from '@holdfast/storage-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Schedules on real SQLite files: several connections as several processes have them, and a clock of the test. */
let file = '';
let folder = '';
let now = Date.parse('2026-03-01T12:10:30Z');
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-schedules-'));
  file = join(folder, 'holdfast.sqlite');
  now = Date.parse('2026-03-01T12:10:30Z');
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await rm(folder, { recursive: true });
});

const never = 2 ** 31 - 1;
const silence = () => undefined;
const log = { debug: silence, info: silence, warn: silence, error: silence, child: () => log };
const redactor = { protect: () => ({ release: silence }), redact: (text: string) => text };
const timers = { set: async () => {}, clear: async () => {}, onDue: silence, drain: async () => {} };
const caller = { userId: 1, username: 'alice', isAdmin: true, readOnly: false, tokenId: 1 };

async function openInstance(name: string) {
  const configuration = sqlite.configuration.parse({ file });
  const plugin = await sqlite.create({ configuration } as PluginContext<{ file: string }>);
  await plugin.start({ schema: schemaVersions, stillWorking() {} });
  const storage: StorageBackend = plugin;
  const clock = { now: () => now };
  const events = makeEventBus({ clock, log });
  const engine = makeJobEngine({
    storage,
    timers,
    events,
    clock,
    log,
    redactor,
    instanceId: name,
    driver: { endProcess: async () => 'gone' },
    settings: { maxConcurrentJobs: 1 },
  });
  const settings = { installation: 'inst' };
  // Only what schedules ask for.
  const dependencies = {
    storage,
    timers,
    clock,
    log,
    redactor,
    events,
    settings,
    jobs: engine.queue,
  } as unknown as Dependencies;
  const runner = makePlanWorker(dependencies, { scanEvery: never, tendEvery: never });
  const { schedules } = makeUseCases(dependencies);
  runner.start();
  closers.push(async () => {
    await runner.stop();
    await plugin.stop?.();
  });
  return { storage, runner, schedules };
}
type Instance = Awaited<ReturnType<typeof openInstance>>;

function entity(name: string) {
  const found = allEntities.find((each) => each.name === name);
  if (!found) throw new Error(`no entity ${name}`);
  return found as (typeof allEntities)[number];
}

const rows = ({ storage }: Instance, name: string) =>
  storage.find(entity(name)) as Promise<Record<string, unknown>[]>;

const addRepository = ({ storage }: Instance, name: string) =>
  storage.insert(entity('repository'), {
    uid: name,
    tool_id: name,
    name,
    path: `/backups/${name}`,
    mode: 'full',
    encryption: 'none',
    compression: 'lz4',
    source_directories: ['/home'],
    exclude_patterns: [],
    created_at: 0,
    updated_at: 0,
  } as never);

const schedule = {
  cron_expression: '* * * * *',
  timezone: 'UTC',
  catch_up: 'one' as const,
  repository_ids: [1],
  enabled: true,
  run_repository_scripts: false,
  tags: [],
  run_prune_after: false,
  run_compact_after: false,
  prune_keep_hourly: 0,
  prune_keep_daily: 7,
  prune_keep_weekly: 4,
  prune_keep_monthly: 6,
  prune_keep_quarterly: 0,
  prune_keep_yearly: 1,
};

test('three instances on one file run each slot of 40 schedules once', async () => {
  const first = await openInstance('a');
  await addRepository(first, 'home');
  const instances = [first, await openInstance('b'), await openInstance('c')];
  for (let n = 0; n < 40; n++) await first.schedules.createSchedule({ ...schedule, name: `s${n}` });
  for (let minute = 1; minute <= 2; minute++) {
    now = Date.parse('2026-03-01T12:10:00Z') + minute * 60_000 + 200;
    await Promise.all(instances.map(({ runner }) => runner.look()));
  }
  const slots = await rows(first, 'slot');
  expect(slots).toHaveLength(80);
  expect(slots.every(({ outcome, late_ms }) => outcome === 'running' && late_ms === 200)).toBe(true);
  const jobs = await rows(first, 'job');
  expect(jobs).toHaveLength(80);
  expect(new Set(jobs.map(({ slot_id }) => slot_id)).size).toBe(80);
});

test('catches up once after 36 hours across a clock change and records missed slots', async () => {
  now = Date.parse('2026-10-24T05:30:00Z');
  const before = await openInstance('a');
  await addRepository(before, 'home');
  const hourly = { ...schedule, name: 'hourly', cron_expression: '0 * * * *', timezone: 'Europe/Berlin' };
  await before.schedules.createSchedule(hourly);
  for (const close of closers.splice(0)) await close();

  now = Date.parse('2026-10-25T17:45:00Z');
  const [one, two] = [await openInstance('b'), await openInstance('c')];
  await Promise.all([one.runner.look(), two.runner.look()]);
  const { runs, total } = await two.schedules.listScheduleRuns(1, { limit: 100, offset: 0 });
  expect(total).toBe(36);
  expect(runs[0]).toMatchObject({
    planned_at: '2026-10-25T17:00:00.000Z',
    outcome: 'running',
    late_seconds: 2_700,
    job_ids: [1],
  });
  const missed = runs.slice(1).toReversed();
  expect(missed.every(({ outcome, count }) => outcome === 'missed' && count === 1)).toBe(true);
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const times = missed.map(({ planned_at }) => local.format(Date.parse(planned_at)));
  expect(times.filter((time) => time === times[18])).toHaveLength(2);
  expect(new Set(times).size).toBe(34);
  expect(await rows(one, 'job')).toHaveLength(1);
});

test('edits at once from two instances keep each other, links too', async () => {
  const [one, two] = [await openInstance('a'), await openInstance('b')];
  await addRepository(one, 'home');
  await addRepository(one, 'photos');
  await one.schedules.createSchedule({ ...schedule, name: 'nightly', repository_ids: [1, 2] });
  for (let n = 0; n < 10; n++) {
    await Promise.all([
      one.schedules.updateSchedule(caller, 1, {
        repository_ids: n % 2 ? [1, 2] : [2, 1],
        description: `${n}`,
      }),
      two.schedules.updateSchedule(caller, 1, { prune_keep_daily: n }),
      two.schedules.toggleSchedule(1),
      one.schedules.runScheduleNow(caller, 1),
    ]);
    const { job } = await two.schedules.getSchedule(1);
    expect(job).toMatchObject({ description: `${n}`, prune_keep_daily: n, enabled: n % 2 === 1 });
    expect(job.repository_ids).toEqual(n % 2 ? [1, 2] : [2, 1]);
  }
  expect(await rows(one, 'job')).toHaveLength(20);
});
