import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/app/app.js';
import { checkSchedules } from '../../src/backup/maintenance/tables.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import type { JobFigures } from '../../src/engine/jobs/job-figures.rules.js';
import { jobFigures, jobs } from '../../src/engine/jobs/tables.js';
import { collectMetrics } from '../../src/insight/monitoring/collect-metrics.js';
import { deliveries } from '../../src/insight/notifications/tables.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { maintenanceScene } from '../maintenance/maintenance-scene.js';

async function scene() {
  const made = await maintenanceScene();
  const { storage, repository } = made;
  const faulty = faultyStorage(storage);
  const parts = [{ kind: 'jobs' as const, id: 'mongodb', chosen: true, health: null as string | null }];
  // Only what the metrics are made of.
  const plugins = { describe: async () => parts } as unknown as Dependencies['plugins'];
  const collect = collectMetrics({ ...made.dependencies, storage: faulty, plugins });
  /** The samples of one metric, as `[labels, value]`. */
  const samplesOf = async (name: string) =>
    (await collect())
      .find((each) => each.name === `bk_${name}`)
      ?.samples.map(({ labels, value }) => [labels, value]);
  const job = (values: object) =>
    storage.insert(jobs, {
      kind: 'backup',
      status: 'pending',
      repository_id: repository.id,
      repository_path: '/r',
      repository_name: 'home',
      requested_by: 'alice',
      requested_at: made.clock.now() - 5_000,
      parameters: {},
      progress: noProgress,
      ...values,
    });
  return { ...made, faulty, parts, collect, samplesOf, job };
}

describe('the metrics', () => {
  it('say how old the newest archive is, and how old it may be', async () => {
    const { samplesOf, clock, archive, storage, repository, schedule } = await scene();
    expect(await samplesOf('repository_newest_archive_age_seconds')).toEqual([]);
    expect(await samplesOf('repository_promised_archive_age_seconds')).toEqual([]);
    await archive('older', 1);
    await archive('newer', 3);
    const newest = Date.UTC(2026, 2, 4, 2);
    clock.set(newest + 3_600_000);
    await storage.insert(scheduleRepositories, { schedule_id: 1, repository_id: repository.id, position: 0 });
    await storage.update(schedules, { id: schedule.id }, { last_planned: newest - 500 });
    const here = { repository: 'home' };
    expect(await samplesOf('repository_newest_archive_age_seconds')).toEqual([[here, 3_600]]);
    expect(await samplesOf('repository_promised_archive_age_seconds')).toEqual([[here, 3_600.5]]);
    await storage.update(schedules, { id: schedule.id }, { enabled: false });
    expect(await samplesOf('repository_promised_archive_age_seconds')).toEqual([]);
  });

  it('count running and pending jobs and how long they wait', async () => {
    const { samplesOf, job } = await scene();
    await job({});
    await job({ requested_at: Date.UTC(2026, 0, 1) });
    await job({ status: 'running', kind: 'check' });
    expect(await samplesOf('jobs_waiting')).toContainEqual([{ type: 'backup' }, 2]);
    const [longest] = (await samplesOf('jobs_longest_wait_seconds')) ?? [];
    expect(longest?.[0]).toEqual({ type: 'backup' });
    expect(await samplesOf('ui_active_jobs')).toContainEqual([{ type: 'check' }, 1]);
    expect(await samplesOf('backup_jobs_total')).toEqual([[{ repository: 'home', status: 'pending' }, 2]]);
    expect(await samplesOf('check_jobs_total')).toEqual([[{ repository: 'home', status: 'running' }, 1]]);
  });

  it('say how long the last job of each type had waited', async () => {
    const { samplesOf, storage, repository } = await scene();
    expect(await samplesOf('jobs_last_wait_seconds')).toEqual([]);
    const ended = (endedAt: number, waited: number) => ({
      endedAt,
      success: true,
      good: null,
      judged: null,
      damaged: null,
      begun: { endedAt, seconds: 1, waited },
    });
    const figures = (backup: object, check: object) =>
      ({ counts: {}, last: { backup, check } }) as unknown as JobFigures;
    await storage.insert(jobFigures, {
      repository_id: repository.id,
      figures: figures(ended(10, 7), ended(20, 0)),
    });
    expect(await samplesOf('jobs_last_wait_seconds')).toEqual([
      [{ type: 'backup' }, 7],
      [{ type: 'check' }, 0],
    ]);
  });

  it('count pending and undelivered messages with their age', async () => {
    const { samplesOf, storage, clock } = await scene();
    const all = async () => [
      await samplesOf('outbox_pending'),
      await samplesOf('outbox_oldest_seconds'),
      await samplesOf('outbox_parked'),
    ];
    expect(await all()).toEqual([[[{}, 0]], [], [[{}, 0]]]);
    const file = (status: 'collecting' | 'pending' | 'delivered' | 'parked', age: number) => {
      const at = clock.now() - age;
      return storage.insert(deliveries, {
        message_id: `${status} ${age}`,
        setting_id: 1,
        event_id: 1,
        repository_id: 1,
        status,
        first_at: at,
        next_attempt_at: at,
        queued_at: at,
        created_at: at,
      });
    };
    await file('pending', 30_500);
    await file('pending', 500);
    await file('collecting', 90_000);
    await file('delivered', 90_000);
    await file('parked', 90_000);
    expect(await all()).toEqual([[[{}, 2]], [[{}, 30.5]], [[{}, 1]]]);
  });

  it('say how late planned checks are, where they are planned', async () => {
    const { samplesOf, storage, repository, clock } = await scene();
    const overdue = () => samplesOf('repository_check_overdue_seconds');
    expect(await overdue()).toEqual([]);
    await storage.insert(checkSchedules, {
      repository_id: repository.id,
      cron_expression: '0 4 * * *',
      timezone: 'UTC',
      enabled: true,
      max_duration: 0,
      next_run: clock.now() - 90_000,
    });
    expect(await overdue()).toEqual([[{ repository: 'home' }, 90]]);
    await storage.update(checkSchedules, {}, { next_run: clock.now() + 1 });
    expect(await overdue()).toEqual([[{ repository: 'home' }, 0]]);
    await storage.update(checkSchedules, {}, { enabled: false });
    expect(await overdue()).toEqual([]);
  });

  it('say how late schedules are', async () => {
    const { samplesOf, clock, storage } = await scene();
    await storage.update(schedules, {}, { last_late_ms: 1_500, next_run: clock.now() - 20_000 });
    expect(await samplesOf('schedule_last_lateness_seconds')).toEqual([[{ schedule: 'nightly' }, 1.5]]);
    expect(await samplesOf('schedule_overdue_seconds')).toEqual([[{ schedule: 'nightly' }, 20]]);
    await storage.update(schedules, {}, { enabled: false });
    expect(await samplesOf('schedule_overdue_seconds')).toEqual([]);
  });

  it('omit unknown values of a repository', async () => {
    const { samplesOf, storage } = await scene();
    for (const name of [
      'size_bytes',
      'last_backup_timestamp',
      'last_check_timestamp',
      'last_compact_timestamp',
    ]) {
      expect(await samplesOf(`repository_${name}`)).toEqual([]);
    }
    expect(await samplesOf('check_last_duration_seconds')).toEqual([]);
    await storage.update(repositories, {}, { stored_size: 0, last_check: 1_500 });
    expect(await samplesOf('repository_size_bytes')).toEqual([[{ repository: 'home' }, 0]]);
    expect(await samplesOf('repository_last_check_timestamp')).toEqual([[{ repository: 'home' }, 1.5]]);
  });

  it('say that the storage is away instead of failing', async () => {
    const { collect, faulty, samplesOf } = await scene();
    expect(await samplesOf('store_up')).toEqual([[{}, 1]]);
    faulty.become('down');
    expect((await collect()).map(({ name, samples }) => [name, samples[0]?.value])).toEqual([
      ['bk_store_up', 0],
      ['bk_plugin_healthy', 1],
    ]);
  });

  it('report each unhealthy plugin', async () => {
    const { samplesOf, parts, clock } = await scene();
    const labels = { kind: 'jobs', plugin: 'mongodb' };
    expect(await samplesOf('plugin_healthy')).toEqual([[labels, 1]]);
    if (parts[0]) parts[0].health = 'The server does not respond.';
    clock.advance(2_000);
    expect(await samplesOf('plugin_healthy')).toEqual([[labels, 0]]);
  });
});

it('docs/admin/monitoring.md lists every metric, and no other', async () => {
  const page = readFileSync(new URL('../../../docs/admin/monitoring.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(bk_\w+)`/gm)].map(([, name]) => name);
  // Of the process, not of the storage.
  const ofProcess = [
    'bk_cache_lookups_total',
    'bk_left_behind_processes',
    'bk_store_operation_duration_seconds',
  ];
  const collected = (await (await scene()).collect()).map(({ name }) => name);
  expect(listed.sort()).toEqual([...collected, ...ofProcess].sort());
});
