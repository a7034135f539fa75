import { gzipSync } from 'node:zlib';
import type { InsertOf } from '@holdfast/plugin-api';
import { expect, it } from 'vitest';
import { retentionPauses } from '../../src/backup/maintenance/tables.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { noFigures, withEnded } from '../../src/engine/jobs/job-figures.rules.js';
import { jobFigures, jobs } from '../../src/engine/jobs/tables.js';
import { samples } from '../../src/insight/history/tables.js';
import { incidents } from '../../src/insight/incidents/tables.js';
import { deliveries, notificationSettings } from '../../src/insight/notifications/tables.js';
import { getOverview } from '../../src/insight/overview/overview.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.UTC(2026, 2, 10, 12);

function world() {
  const storage = memoryStorage();
  const clock = manualClock(now);
  // Neither a tool nor another host is among what it is given.
  const read = getOverview({ storage, clock });
  let count = 0;
  const repository = async (name: string, values: Partial<InsertOf<typeof repositories>> = {}) =>
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
      freshness_hours: 26,
      inventory_at: now,
      ...values,
    });
  const archive = (repository_id: number, start: number, values = {}) =>
    storage.insert(archives, {
      repository_id,
      tool_id: `${++count}`,
      name: `a${count}`,
      start,
      seen_at: 0,
      hostname: 'h',
      username: 'u',
      comment: '',
      ...values,
    });
  const overview = async (timezone = 'UTC') => {
    clock.advance(1_000);
    return read({ timezone });
  };
  return { storage, clock, repository, archive, overview, read };
}

it('reports an empty state without repositories', async () => {
  const { overview } = world();
  expect(await overview()).toMatchObject({
    headline: { state: 'empty', code: 'overview_empty' },
    counts: { total: 0, protected: 0, late: 0, unknown: 0, damaged: 0, running: 0, pending: 0 },
    oldest_newest_archive: null,
    next_run: null,
    attention: [],
    attention_total: 0,
    repositories: [],
  });
});

it('names the host of a repository', async () => {
  const { storage, repository, overview } = world();
  const times = { created_at: 0, updated_at: 0 };
  const place = { host: 'nas', port: 22, username: 'u', status: 'connected' as const };
  const { id } = await storage.insert(sshConnections, { ...place, ...times });
  await repository('far', { path: 'ssh://u@nas:22/far', connection_id: id });
  await repository('pulled', { source_connection_id: id });
  expect((await overview()).repositories.map(({ name, host }) => [name, host])).toEqual([
    ['far', 'nas'],
    ['pulled', null],
  ]);
});

it('shows state, figures, next run, running job, verification and days of each repository', async () => {
  const { storage, repository, archive, overview } = world();
  const size = { stored_size: 640, archive_count: 1, place_free: 30, place_total: 100, place_at: now };
  const { id } = await repository('photos', { ...size, last_check: now - 3 * day });
  await archive(id, now - 9 * hour);
  const schedule = { cron_expression: '0 2 * * *', timezone: 'UTC', catch_up: 'one' as const };
  const times = { created_at: 0, updated_at: 0 };
  const plan = (name: string, next_run: number, enabled = true) =>
    storage.insert(schedules, { ...schedule, ...times, name, next_run, enabled });
  for (const each of [await plan('weekly', now + day), await plan('nightly', now + 14 * hour)])
    await storage.insert(scheduleRepositories, { schedule_id: each.id, repository_id: id, position: 0 });
  await plan('off', now + hour, false);
  const progress = { ...noProgress, percent: 58.7, secondsRemaining: 240 };
  const asked = {
    kind: 'backup' as const,
    repository_id: id,
    repository_path: '/photos',
    repository_name: 'photos',
    requested_by: 'alice',
    requested_at: now,
    parameters: {},
    progress,
  };
  const job = await storage.insert(jobs, { ...asked, status: 'running' });
  for (let n = 0; n < 2; n += 1) await storage.insert(jobs, { ...asked, status: 'pending' });
  const restored = { kind: 'restore', jobId: 1, requestedAt: 0, startedAt: 0, endedAt: now - day } as const;
  const figures = withEnded(noFigures, {
    ...restored,
    status: 'completed',
    originalSize: 0,
    deduplicatedSize: 0,
    damaged: false,
  });
  await storage.insert(jobFigures, { repository_id: id, figures });
  const told = await overview();
  expect(told).toMatchObject({
    headline: { state: 'protected', text: 'Protected: 1 of 1 repositories.', params: { count: 1, total: 1 } },
    counts: { protected: 1, running: 1, pending: 2 },
    moved_in: { total: 1, observed: 0, first_backup: '2026-03-11T02:00:00.000Z' },
    oldest_newest_archive: { repository_id: id, name: 'photos', at: '2026-03-10T03:00:00.000Z' },
    next_run: { name: 'nightly', at: '2026-03-11T02:00:00.000Z' },
    first_day: '2026-02-09',
    last_day: '2026-03-10',
    timezone: 'UTC',
  });
  expect(told.repositories).toEqual([
    {
      id,
      name: 'photos',
      host: null,
      tags: [],
      status: 'protected',
      damaged: false,
      made_externally: true,
      reason: {
        code: 'protection_age_and_objective',
        params: { age: '9 h', promised: '26 h' },
        text: 'The newest archive is 9 h old; the limit is 26 h.',
      },
      newest_archive: '2026-03-10T03:00:00.000Z',
      protected_until: '2026-03-11T05:00:00.000Z',
      archives_as_of: '2026-03-10T12:00:00.000Z',
      archive_count: 1,
      size_bytes: 640,
      free_bytes: 30,
      mode: 'full',
      next_run: '2026-03-11T02:00:00.000Z',
      running: { job_id: job.id, kind: 'backup', percent: 58, seconds_remaining: 240 },
      last_check: '2026-03-07T12:00:00.000Z',
      last_restore: '2026-03-09T12:00:00.000Z',
      last_verified_restore: null,
      coverage_percent: null,
      days: `${'-'.repeat(1)}${'l'.repeat(28)}o`,
    },
  ]);
});

it('is as bad as its worst repository and ranks the attention list', async () => {
  const { storage, repository, archive, overview } = world();
  const { id } = await repository('good');
  await archive(id, now - hour);
  const late = await repository('late');
  await archive(late.id, now - 30 * hour);
  expect((await overview()).headline).toMatchObject({ state: 'late', params: { count: 1, total: 2 } });
  const bad = await repository('bad');
  await archive(bad.id, now - hour);
  const checked = { kind: 'check', jobId: 12, requestedAt: 0, startedAt: 0, endedAt: now - hour } as const;
  const figures = withEnded(noFigures, {
    ...checked,
    status: 'failed',
    originalSize: 0,
    deduplicatedSize: 0,
    damaged: true,
  });
  await storage.insert(jobFigures, { repository_id: bad.id, figures });
  await repository('closed', { open_error: 'The passphrase is wrong.', open_error_at: now - day });
  await storage.insert(sshConnections, {
    host: 'nas',
    port: 22,
    username: 'u',
    status: 'host_key_changed',
    created_at: 0,
    updated_at: 0,
  });
  const setting = await storage.insert(notificationSettings, {
    uid: 'u',
    name: 'chat',
    service_url: 'json://secret@h',
    scheme: 'json',
    created_at: 0,
    updated_at: 0,
  });
  await storage.insert(deliveries, {
    message_id: 'm',
    setting_id: setting.id,
    event_id: 1,
    first_at: 0,
    status: 'parked',
    next_attempt_at: 0,
    queued_at: 0,
    created_at: 0,
    ended_at: now,
  });
  const plan = await storage.insert(schedules, {
    name: 'nightly',
    cron_expression: '',
    timezone: 'UTC',
    catch_up: 'one',
    enabled: false,
    created_at: 0,
    updated_at: 0,
  });
  const pause = { schedule_id: plan.id, repository_id: id, job_id: 1, since: now - day };
  await storage.insert(retentionPauses, { ...pause, reason: 'a source was missing' });
  const thread = `late:repository:${late.id}`;
  const incident = await storage.insert(incidents, {
    thread,
    open_thread: thread,
    is_open: true,
    cause: 'late',
    object_kind: 'repository',
    object_id: late.id,
    object_name: 'late',
    repository_id: late.id,
    opened_at: now,
    since: now,
    code: 'c',
    params: {},
    sentence: 's',
    jobs_after: 0,
    snoozed_until: now + day,
  });
  const told = await overview();
  const known = { incident_id: incident.id, snoozed_until: '2026-03-11T12:00:00.000Z' };
  expect(told.attention[3]).toMatchObject(known);
  expect(told.attention[0]).toMatchObject({ incident_id: null, snoozed_until: null });
  expect(told).toMatchObject({
    headline: {
      state: 'damaged',
      code: 'overview_states',
      params: { total: 4, damaged: 1, unreachable: 1, late: 1, unknown: 0, protected: 1 },
    },
    counts: { total: 4, protected: 1, late: 2, unknown: 1, damaged: 1 },
    attention_total: 8,
  });
  expect(told.attention.map(({ cause, object }) => `${cause} ${object.name}`)).toEqual([
    'damaged bad',
    'cannot_open closed',
    'late closed',
    'late late',
    'host_key_changed u@nas:22',
    'delivery_parked chat',
    'retention_paused good',
    'recovery_sheet Holdfast',
  ]);
  expect(JSON.stringify(told)).not.toContain('secret');
});

it('reports unknown for an archive list older than two days', async () => {
  const { storage, repository, archive, overview } = world();
  const { id } = await repository('usb', { freshness_hours: 200, inventory_at: now - 47 * hour });
  await archive(id, now - 60 * hour);
  expect((await overview()).repositories[0]).toMatchObject({ status: 'protected' });
  await storage.update(repositories, { id }, { inventory_at: now - 48 * hour - 1 });
  const told = await overview();
  expect(told.headline).toMatchObject({ state: 'unknown', code: 'overview_unknown' });
  expect(told.repositories[0]).toMatchObject({
    status: 'unknown',
    reason: { code: 'overview_list_outdated' },
    archives_as_of: '2026-03-08T11:59:59.999Z',
  });
  expect(told.attention.map(({ cause }) => cause)).toEqual(['list_outdated', 'no_channel', 'recovery_sheet']);
});

it('shows a new repository at once, and refuses an unknown zone', async () => {
  const { repository, read } = world();
  await repository('one');
  expect((await read({ timezone: 'UTC' })).repositories[0]?.days).toHaveLength(30);
  await repository('two');
  expect((await read({ timezone: 'UTC' })).repositories.map(({ days }) => days.length)).toEqual([30, 30]);
  await expect(read({ timezone: 'Mars/Phobos' })).rejects.toMatchObject({ code: 'invalid' });
});

it('stays below 20 kB compressed with 50 repositories that need attention', async () => {
  const { storage, repository, overview } = world();
  for (let n = 0; n < 50; n++) {
    const error = `The repository at /srv/backups/${n * 7919} was replaced by another one: ${n * 104_729}.`;
    const { id } = await repository(`repository ${n * 31}`, {
      open_error: error,
      open_error_at: now - n,
      stored_size: n * 7_919_104_729,
    });
    for (let ago = 0; ago < 30; ago++)
      await storage.insert(jobs, {
        kind: 'backup',
        status: (n * ago) % 3 === 0 ? 'failed' : 'completed',
        repository_id: id,
        repository_path: '/r',
        repository_name: 'r',
        requested_by: 'a',
        requested_at: now - ago * day,
        parameters: {},
        progress: noProgress,
      });
  }
  const told = await overview();
  expect(told.attention_total).toBe(102);
  expect(gzipSync(JSON.stringify(told)).length).toBeLessThan(20_000);
});

it('shows sums of all repositories, and the disk that is full first', async () => {
  const { storage, repository, overview } = world();
  expect((await overview()).figures).toMatchObject({ stored_bytes: null, first_full: null });
  for (const [name, perDay] of Object.entries({ slow: 1, fast: 10 })) {
    const place = { place_free: 100, place_total: 1_000, place_at: now };
    const { id } = await repository(name, { stored_size: 50, ...place });
    for (let ago = 10; ago > 0; ago--)
      await storage.insert(samples, {
        repository_id: id,
        at: now - ago * day,
        job_id: 1,
        kind: 'backup',
        size: 50 - ago,
        free: 100 + ago * perDay,
        archive_count: 1,
        took: 1,
      });
  }
  const { figures, as_of } = await overview();
  expect([figures.stored_bytes?.length, figures.stored_bytes?.slice(-2)]).toEqual([30, [98, 100]]);
  const at = new Date(Date.parse(as_of) + 10 * day).toISOString();
  expect(figures.first_full).toMatchObject({ name: 'fast', host: null, free_bytes: 100, at });
  expect(figures.jobs_today).toEqual({ done: 0, failed: 0 });
  // A new one stored nothing on the days before it.
  await repository('new', { stored_size: 5, created_at: now });
  expect((await overview()).figures.stored_bytes?.slice(-2)).toEqual([98, 105]);
});
