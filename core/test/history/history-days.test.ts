import type { InsertOf } from '@holdfast/plugin-api';
import { expect, it, vi } from 'vitest';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { type SlotRow, scheduleRepositories, slots } from '../../src/backup/schedules/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { getHistoryDays } from '../../src/insight/history/history-days.js';
import { listRunsOfDay } from '../../src/insight/history/runs-of-day.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.UTC(2026, 2, 10, 12);

async function world() {
  const storage = memoryStorage();
  const clock = manualClock(now);
  const read = getHistoryDays({ storage, clock });
  const ago = (days: number) => now - days * day;
  const repository = (name: string, values: Partial<InsertOf<typeof repositories>> = {}) =>
    storage.insert(repositories, {
      uid: name,
      tool_id: name,
      name,
      path: `/${name}`,
      mode: 'full',
      encryption: 'none',
      compression: 'lz4',
      source_directories: [],
      exclude_patterns: [],
      created_at: 0,
      updated_at: 0,
      ...values,
    });
  const home = await repository('home');
  const job = (requested_at: number, status: JobRow['status'], values: Partial<JobRow> = {}) =>
    storage.insert(jobs, {
      kind: 'backup',
      status,
      repository_id: home.id,
      repository_path: '/home',
      repository_name: 'home',
      requested_by: 'nightly',
      requested_at,
      parameters: {},
      progress: noProgress,
      ...values,
    });
  const slot = (planned_at: number, outcome: SlotRow['outcome'], values: Partial<SlotRow> = {}) =>
    storage.insert(slots, {
      schedule_id: 1,
      planned_at,
      trigger: 'schedule',
      outcome,
      job_ids: [],
      ...values,
    });
  const archive = (start: number, values: Partial<InsertOf<typeof archives>> = {}) =>
    storage.insert(archives, {
      repository_id: home.id,
      tool_id: `${start}`,
      name: `a${start}`,
      start,
      seen_at: 0,
      hostname: 'h',
      username: 'u',
      comment: '',
      ...values,
    });
  await storage.insert(scheduleRepositories, { schedule_id: 1, repository_id: home.id, position: 0 });
  const strips = async (days = 7, timezone = 'UTC') =>
    Object.fromEntries((await read({ days, timezone })).repositories.map((row) => [row.name, row.days]));
  const list = listRunsOfDay({ storage, clock });
  /** Of a day, by what they say. */
  const runs = async (at: number, limit = 9) => {
    const date = new Date(at).toISOString().slice(0, 10);
    const answer = await list({ day: date, timezone: 'UTC', repository_id: home.id, limit });
    return answer.runs.map(({ outcome, job_id, schedule_id, archive_name }) =>
      [outcome, job_id, schedule_id, archive_name].filter((fact) => fact !== null),
    );
  };
  return { storage, clock, read, runs, ago, home, repository, job, slot, archive, strips };
}

it('derives each day from jobs, runs and archives', async () => {
  const { ago, job, slot, archive, strips, repository } = await world();
  await repository('other');
  await job(ago(6), 'completed');
  await job(ago(5), 'completed_with_warnings');
  await job(ago(4), 'failed');
  await slot(ago(3), 'missed');
  await job(ago(2), 'cancelled');
  await slot(ago(2), 'disabled');
  await archive(ago(1));
  await job(ago(0), 'running');
  // What is no backup, or of another schedule, says nothing.
  await job(ago(2), 'failed', { kind: 'check' });
  await slot(ago(1), 'missed', { schedule_id: 2 });
  expect(await strips()).toEqual({ home: 'owfm-o-', other: '-------' });
});

it('counts only archives that others made, and those that are intact', async () => {
  const { ago, job, archive, strips } = await world();
  await job(ago(3), 'completed');
  await archive(ago(3), { job_id: 1, damaged: true });
  await archive(ago(2), { damaged: true });
  await archive(ago(1), { job_id: 7 });
  expect(await strips(4)).toEqual({ home: 'ww--' });
});

it('shows late for a backup that still waits and for an exceeded age limit', async () => {
  const { storage, ago, job, strips, repository } = await world();
  const open = await job(ago(3), 'pending');
  await repository('promised', { freshness_hours: 26, created_at: ago(9) });
  expect(await strips(4)).toEqual({ home: 'l---', promised: '-lll' });
  await storage.update(jobs, { id: open.id }, { status: 'completed' });
  expect((await strips(4)).home).toBe('o---');
});

it('reads a past day once, until its run history gets another row', async () => {
  const { storage, ago, job, slot, strips } = await world();
  await job(ago(5), 'completed');
  await strips();
  const aggregate = vi.spyOn(storage, 'aggregate');
  const readsOfJobs = () => aggregate.mock.calls.filter(([entity]) => (entity as object) === jobs).length;
  expect((await strips()).home).toBe('-o-----');
  expect(readsOfJobs()).toBe(1);
  await slot(ago(3), 'missed');
  expect((await strips()).home).toBe('-o-m---');
  expect(readsOfJobs()).toBe(2 + 3);
  await job(ago(0), 'failed');
  expect((await strips()).home).toBe('-o-m--f');
});

it('shows an outage of many planned runs as missed on each of its days', async () => {
  const { ago, slot, strips } = await world();
  await slot(ago(5), 'missed', { count: 4_000 });
  await slot(ago(2), 'missed');
  await slot(ago(1), 'completed');
  expect((await strips()).home).toBe('-mmmm--');
});

it('assigns a run to the day of the given zone', async () => {
  const { job, strips } = await world();
  await job(Date.UTC(2026, 2, 8, 23, 30), 'completed');
  expect((await strips(3)).home).toBe('o--');
  expect((await strips(3, 'Europe/Berlin')).home).toBe('-o-');
});

it('rejects unknown zones and repositories, and filters by repository', async () => {
  const { read, home, repository } = await world();
  await repository('other');
  await expect(read({ days: 1, timezone: 'Mars/Phobos' })).rejects.toThrow(/Unknown time zone/);
  await expect(read({ days: 1, timezone: 'UTC', repository_id: 99 })).rejects.toMatchObject({
    code: 'not_found',
  });
  const one = await read({ days: 2, timezone: 'europe/berlin', repository_id: home.id });
  expect(one).toMatchObject({ first_day: '2026-03-09', last_day: '2026-03-10', timezone: 'europe/berlin' });
  expect(one.repositories).toEqual([{ id: home.id, name: 'home', days: '--' }]);
});

it('lists the backups and runs of a day, and archives that others made', async () => {
  const { ago, job, slot, archive, runs, home } = await world();
  const noon = ago(2);
  await job(noon, 'failed', { schedule_id: 1 });
  await job(noon + 1, 'completed', { kind: 'check' });
  await job(noon + 2, 'completed', { repository_id: home.id + 1 });
  await job(noon - day, 'completed');
  await slot(noon + 3, 'skipped');
  await slot(noon + 4, 'missed', { schedule_id: 2 });
  await slot(noon + 5, 'disabled');
  await archive(noon + 6);
  await archive(noon + 7, { job_id: 1 });
  const all = [
    ['failed', 1, 1],
    ['skipped', 1],
    ['completed', `a${noon + 6}`],
  ];
  expect(await runs(noon)).toEqual(all);
  expect(await runs(noon, 2)).toEqual(all.slice(0, 2));
});

it('lists an outage on each day that it lasted', async () => {
  const { ago, slot, runs } = await world();
  await slot(ago(5), 'missed', { count: 3 });
  await slot(ago(2), 'completed');
  for (const days of [5, 4, 3]) expect(await runs(ago(days))).toEqual([['missed', 1]]);
  for (const days of [6, 1]) expect(await runs(ago(days))).toEqual([]);
});
