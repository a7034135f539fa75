import type { StorageBackend } from '@holdfast/plugin-api';
import { describe, expect, it } from 'vitest';
import { defaultRetention } from '../../src/app/housekeeping/index.js';
import { removeOldRegistrations } from '../../src/app/housekeeping/remove-expired.js';
import { checkSchedules, retentionPauses } from '../../src/backup/maintenance/tables.js';
import { formatArchiveComment } from '../../src/backup/repositories/archive-name.rules.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { noRepository, noteEnded } from '../../src/engine/jobs/job-figures.js';
import { jobFigures, jobs } from '../../src/engine/jobs/tables.js';
import { notificationRepositories, notificationSettings } from '../../src/insight/notifications/tables.js';
import { makeWorld } from './world.js';

const caller = { userId: 1, username: 'ada', isAdmin: true, readOnly: false, tokenId: 1 };

async function addSchedule(storage: StorageBackend, name: string, repositoryIds: number[]) {
  const schedule = await storage.insert(schedules, {
    uid: `uid of ${name}`,
    name,
    cron_expression: '0 2 * * *',
    timezone: 'UTC',
    enabled: true,
    archive_name_template: '{now}',
    catch_up: 'one',
    created_at: 0,
    updated_at: 0,
  });
  for (const [position, repository_id] of repositoryIds.entries()) {
    await storage.insert(scheduleRepositories, { schedule_id: schedule.id, repository_id, position });
  }
  return schedule;
}

/** A repository with everything that can be linked to it, and another one. */
async function scene() {
  const world = makeWorld();
  const { storage } = world;
  const { id } = (await world.create({ pre_backup_script: 'echo secret' })).repository;
  const other = (await world.create({ name: 'other', path: '/backups/other' })).repository;
  const alone = await addSchedule(storage, 'alone', [id]);
  const shared = await addSchedule(storage, 'shared', [other.id, id]);
  const job = await world.addJob(id, 'completed');
  await storage.update(
    jobs,
    { id: job.id },
    { schedule_id: shared.id, started_at: 1, completed_at: 2, uid: 'job-1' },
  );
  const [ended] = await storage.find(jobs, { where: { id: job.id } });
  if (ended) await noteEnded(storage, ended);
  const setting = await storage.insert(notificationSettings, {
    uid: 'setting',
    name: 'chat',
    service_url: 'sealed',
    scheme: 'json',
    enabled: true,
    monitor_all_repositories: false,
    created_at: 0,
    updated_at: 0,
  });
  await storage.insert(notificationRepositories, { setting_id: setting.id, repository_id: id });
  await storage.insert(checkSchedules, {
    repository_id: id,
    cron_expression: '0 4 * * *',
    timezone: 'UTC',
    enabled: true,
    max_duration: 60,
    next_run: 5,
  });
  await storage.insert(retentionPauses, {
    schedule_id: shared.id,
    repository_id: id,
    reason: 'a source collapsed',
    job_id: job.id,
    since: 1,
    reason_code: 'archive_far_smaller',
    reason_params: {},
  });
  const [tool] = [...world.driver.repositories.values()];
  const comment = formatArchiveComment({ installation: 'i', schedule: null, job: 'job-1' } as never);
  const made = { id: 'a'.repeat(64), name: 'first', start: 1, end: 2, comment, hostname: 'h', username: 'u' };
  tool?.archives.push(made as never);
  await storage.insert(archives, {
    repository_id: id,
    tool_id: made.id,
    name: 'first',
    start: 1,
    end: 2,
    hostname: 'h',
    username: 'u',
    comment,
    original_size: 77,
    seen_at: 1,
    job_id: job.id,
    schedule_id: shared.id,
  });
  return { world, storage, id, other, alone, shared, job, setting };
}

const importAgain = (world: ReturnType<typeof makeWorld>, more: object = {}) =>
  world.import({ name: 'again', passphrase: 'correct horse', ...more });

describe('removing a registration', () => {
  it('returns the disabled schedules and channels', async () => {
    const { world, id, alone, shared, setting } = await scene();
    expect((await world.deleteRepository(id)).switched_off).toEqual({
      schedules: [
        { id: alone.id, name: 'alone', disabled: true },
        { id: shared.id, name: 'shared', disabled: false },
      ],
      check_schedule: true,
      drill_schedule: false,
      notifications: [{ id: setting.id, name: 'chat' }],
    });
  });

  it('leaves a hidden row without secrets, and frees name and path', async () => {
    const { world, storage, id } = await scene();
    await world.deleteRepository(id);
    expect(await storage.find(repositories, { where: { id } })).toEqual([]);
    expect(await storage.update(repositories, { id }, { name: 'x' })).toBe(0);
    expect((await world.listRepositories(caller)).repositories.map(({ name }) => name)).toEqual(['other']);
    const [left] = await storage.find(repositories, { where: { id, removed_at: { not: null } } });
    expect(left).toMatchObject({ passphrase: null, key_file: null, source_directories: [] });
    expect(JSON.stringify(left)).not.toMatch(/secret|correct horse|\/home|\/backups/);
    await storage.transaction(async (session) => {
      expect(await session.find(repositories, { where: { id } })).toEqual([]);
    });
    expect((await importAgain(world, { name: 'home' })).repository.name).toBe('home');
  });
});

describe('importing the same repository again', () => {
  it('restores its id, jobs, figures, archives and position in schedules', async () => {
    const { world, storage, id, other, shared, job, setting } = await scene();
    const before = await storage.find(jobFigures);
    await world.update(id, { freshness_hours: 30 });
    await world.deleteRepository(id);
    const { repository, message } = await importAgain(world);
    expect(repository.freshness_hours).toBe(30);
    expect(repository).toMatchObject({ id, name: 'again', archive_count: 1 });
    expect(message).toContain('registered before');
    expect(await storage.find(jobs)).toMatchObject([
      { id: job.id, repository_id: id, former_repository_id: null },
    ]);
    const figures = new Map((await storage.find(jobFigures)).map((row) => [row.repository_id, row.figures]));
    expect(figures.get(id)).toEqual(before.find((row) => row.repository_id === id)?.figures);
    expect(figures.get(noRepository)?.counts.backup?.completed ?? 0).toBe(0);
    expect(await storage.find(archives)).toMatchObject([
      { repository_id: id, job_id: job.id, schedule_id: shared.id, original_size: 77 },
    ]);
    const links = await storage.find(scheduleRepositories, {
      where: { schedule_id: shared.id },
      order: [['position', 'asc']],
    });
    expect(links.map(({ repository_id }) => repository_id)).toEqual([other.id, id]);
    expect(await storage.find(notificationRepositories)).toMatchObject([
      { setting_id: setting.id, repository_id: id },
    ]);
    expect(await storage.find(retentionPauses)).toMatchObject([
      { repository_id: id, schedule_id: shared.id, reason_code: 'archive_far_smaller', since: 1 },
    ]);
    const [check] = await storage.find(checkSchedules);
    expect(check).toMatchObject({ repository_id: id, cron_expression: '0 4 * * *', enabled: true });
    expect(check?.next_run).toBeGreaterThan(world.clock.now());
  });

  it('leaves a schedule disabled that its removal disabled, and names it', async () => {
    const { world, storage, id, alone } = await scene();
    await world.deleteRepository(id);
    const { warnings } = await importAgain(world);
    expect(warnings?.join(' ')).toMatch(/disabled when the repository was removed, and still are: alone\./);
    expect(await storage.find(schedules, { where: { id: alone.id } })).toMatchObject([{ enabled: false }]);
    expect(await storage.find(scheduleRepositories, { where: { schedule_id: alone.id } })).toHaveLength(1);
  });

  it('skips schedules and channels that were deleted', async () => {
    const { world, storage, id, alone, shared } = await scene();
    await world.deleteRepository(id);
    await storage.remove(schedules, {});
    await storage.remove(notificationSettings, {});
    expect((await importAgain(world)).repository.id).toBe(id);
    for (const schedule_id of [alone.id, shared.id]) {
      expect(await storage.find(scheduleRepositories, { where: { schedule_id, repository_id: id } })).toEqual(
        [],
      );
    }
    expect(await storage.find(notificationRepositories)).toEqual([]);
  });

  it('restores the row once and gives a copy its own', async () => {
    const { world, id } = await scene();
    await world.deleteRepository(id);
    const copy = world.driver.repositories.get('/backups/home');
    if (copy) world.driver.repositories.set('/backups/copy', copy);
    world.files.add('/backups/copy/config', 'file');
    const [one, two] = await Promise.all([
      importAgain(world),
      importAgain(world, { name: 'copy', path: '/backups/copy', mode: 'observe' }),
    ]);
    expect([one.repository.id, two.repository.id].filter((each) => each === id)).toHaveLength(1);
  });

  it('is a new registration when the old one was removed too long ago', async () => {
    const { world, storage, id, other } = await scene();
    await world.deleteRepository(id);
    const { clock } = world;
    const sweep = {
      storage,
      clock,
      retention: { ...defaultRetention, jobDays: 10 },
      place: null,
      going: () => true,
      sweepAudit: async () => {},
    };
    clock.advance(9 * 86_400_000);
    await removeOldRegistrations(sweep);
    expect(await storage.find(archives)).toHaveLength(1);
    clock.advance(2 * 86_400_000);
    await removeOldRegistrations(sweep);
    expect(await storage.find(archives)).toEqual([]);
    expect((await world.stored.find(repositories)).map((row) => row.id)).toEqual([other.id]);
    expect((await importAgain(world)).repository.id).not.toBe(id);
  });

  it('keeps the removed registration when the import fails', async () => {
    const { world, storage, id } = await scene();
    await world.deleteRepository(id);
    await expect(importAgain(world, { name: 'other' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(importAgain(world, { passphrase: 'wrong' })).rejects.toMatchObject({ code: 'invalid' });
    expect(await storage.find(repositories, { where: { removed_at: { not: null } } })).toHaveLength(1);
    expect((await importAgain(world)).repository.id).toBe(id);
  });
});
