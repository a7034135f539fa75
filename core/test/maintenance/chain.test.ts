import { DriverError } from '@holdfast/plugin-api/driver';
import { describe, expect, it } from 'vitest';
import { startCompact } from '../../src/backup/maintenance/compact.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { schedules } from '../../src/backup/schedules/tables.js';
import type { TerminalStatus } from '../../src/engine/jobs/job.rules.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { type MaintenanceScene, maintenanceScene } from './maintenance-scene.js';

const caller = { userId: 1, username: 'alice', isAdmin: true, readOnly: false, tokenId: 1 };
const both = { run_prune_after: true, run_compact_after: true };

/** Ends a scheduled backup; what is queued then. */
async function afterBackup(scene: MaintenanceScene, status: TerminalStatus = 'completed') {
  const backup = await scene.backup();
  await scene.settle(backup, { status });
  return { backup, queued: await scene.pending() };
}

async function only(scene: MaintenanceScene, kind: 'prune' | 'compact') {
  const [job, ...others] = await scene.pending();
  expect([job?.kind, ...others]).toEqual([kind]);
  if (!job) throw new Error('no job');
  return job;
}

describe('after a scheduled backup', () => {
  it('runs prune, then compact, and shows the progress on the backup', async () => {
    const scene = await maintenanceScene(both);
    for (const day of [0, 1, 2]) await scene.archive(`web-${day}`, day);
    const { backup } = await afterBackup(scene);
    const status = () => scene.maintenanceStatus(backup.id);
    const prune = await only(scene, 'prune');
    expect(prune).toMatchObject({ requested_by: 'nightly', schedule_id: scene.schedule.id, slot_id: null });
    expect(prune.parameters).toEqual({
      scheduleId: scene.schedule.id,
      backupJobId: backup.id,
      rules: { hourly: 0, daily: 2, weekly: 0, monthly: 0, quarterly: 0, yearly: 0, withinHours: null },
    });
    expect(await status()).toBe('running_prune');
    await scene.run(prune);
    expect(await status()).toBe('prune_completed');
    const compact = await only(scene, 'compact');
    const context = await scene.begin(compact);
    expect(context.job.parameters).toEqual({ ...prune.parameters, rules: undefined, pruneFailed: false });
    expect(await scene.run(compact)).toMatchObject({
      status: 'completed',
      outcome: { freedBytes: 3_000_000 },
    });
    expect(scene.lines.at(-1)).toContain('(3000000 bytes)');
    expect(await status()).toBe('maintenance_completed');
    expect(await scene.pending()).toEqual([]);
    const now = scene.clock.now();
    expect(await scene.storage.find(schedules)).toMatchObject([{ last_prune: now, last_compact: now }]);
    expect(await scene.storage.find(repositories)).toMatchObject([{ last_compact: now }]);
  });

  it('shows the running compact on the backup', async () => {
    const scene = await maintenanceScene({ run_compact_after: true });
    const { backup } = await afterBackup(scene, 'completed_with_warnings');
    const compact = await only(scene, 'compact');
    await scene.storage.update(jobs, { id: backup.id }, { maintenance_status: 'prune_completed' });
    scene.tool.failure = new DriverError('failed', 'disk full');
    await expect(scene.run(compact)).rejects.toThrow('disk full');
    expect(await scene.maintenanceStatus(backup.id)).toBe('running_compact');
    await scene.settle(compact, { status: 'failed' });
    expect(await scene.maintenanceStatus(backup.id)).toBe('compact_failed');
    expect(await scene.storage.find(schedules)).toMatchObject([{ last_compact: null }]);
  });

  it('runs nothing if sources are missing or much smaller, and says why', async () => {
    const scene = await maintenanceScene(both);
    const backup = await scene.backup();
    const archive = { id: 'a', name: 'a', start: 0, end: 1, hostname: 'h', username: 'u', comment: '' };
    const stats = { originalSize: 1, compressedSize: 1, deduplicatedSize: 1, files: 1 };
    const outcome = { archive, stats, lacking: ['/mnt/disk'] };
    await scene.settle(backup, { status: 'completed_with_warnings', outcome });
    expect(await scene.pending()).toEqual([]);
    expect(await scene.maintenanceStatus(backup.id)).toBe('prune_skipped');
    expect(await scene.storage.find(archives)).toMatchObject([
      { job_id: backup.id, schedule_id: scene.schedule.id, lacking: ['/mnt/disk'] },
    ]);
  });

  it('runs only the enabled steps', async () => {
    const neither = await maintenanceScene();
    expect((await afterBackup(neither)).queued).toEqual([]);
    const prune = await maintenanceScene({ run_prune_after: true });
    const { backup } = await afterBackup(prune);
    await prune.run(await only(prune, 'prune'));
    expect(await prune.pending()).toEqual([]);
    expect(await prune.maintenanceStatus(backup.id)).toBe('maintenance_completed');
  });

  it.each(['failed', 'cancelled'] as const)('runs nothing when it %s', async (status) => {
    const scene = await maintenanceScene(both);
    const { backup, queued } = await afterBackup(scene, status);
    expect(queued).toEqual([]);
    expect(await scene.maintenanceStatus(backup.id)).toBeNull();
  });

  it('runs nothing for a manual backup or a deleted schedule', async () => {
    const scene = await maintenanceScene(both);
    const byHand = await scene.backup({ schedule_id: null });
    await scene.settle(byHand, {});
    expect(await scene.pending()).toEqual([]);
    await scene.storage.remove(schedules, {});
    expect((await afterBackup(scene)).queued).toEqual([]);
  });
});

describe('a prune that failed', () => {
  it('is followed by the compact, whose success does not hide it', async () => {
    const scene = await maintenanceScene(both);
    const { backup } = await afterBackup(scene);
    await scene.settle(await only(scene, 'prune').then(begun(scene)), { status: 'failed' });
    expect(await scene.maintenanceStatus(backup.id)).toBe('prune_failed');
    await scene.run(await only(scene, 'compact'));
    expect(await scene.maintenanceStatus(backup.id)).toBe('prune_failed');
  });

  it('is the last step when a user cancelled it', async () => {
    const scene = await maintenanceScene(both);
    const { backup } = await afterBackup(scene);
    await scene.settle(await only(scene, 'prune').then(begun(scene)), { status: 'cancelled' });
    expect(await scene.pending()).toEqual([]);
    expect(await scene.maintenanceStatus(backup.id)).toBe('prune_failed');
  });
});

describe('a compact', () => {
  it('succeeds with warnings', async () => {
    const scene = await maintenanceScene({ run_compact_after: true });
    const { backup } = await afterBackup(scene);
    scene.tool.warnings = ['odd'];
    scene.tool.freedBytes = null;
    expect(await scene.run(await only(scene, 'compact'))).toMatchObject({
      status: 'completed_with_warnings',
    });
    expect(await scene.maintenanceStatus(backup.id)).toBe('maintenance_completed');
  });

  it('reports an append-only repository, as a warning only if started manually', async () => {
    const scene = await maintenanceScene({ run_compact_after: true });
    await afterBackup(scene);
    Object.assign(scene.tool, { freedBytes: null, appendOnly: true });
    const planned = await only(scene, 'compact');
    expect((await scene.run(planned)).status).toBe('completed');
    expect(await scene.storage.find(repositories)).toMatchObject([{ append_only: true }]);
    const { job_id } = await startCompact(scene.dependencies, caller, scene.repository.id);
    expect(await scene.run(await scene.jobOf(job_id))).toMatchObject({
      status: 'completed_with_warnings',
      error: { code: 'compact_append_only' },
    });
    Object.assign(scene.tool, { freedBytes: 1, appendOnly: false });
    await scene.run(
      await scene.jobOf((await startCompact(scene.dependencies, caller, scene.repository.id)).job_id),
    );
    expect(await scene.storage.find(repositories)).toMatchObject([{ append_only: false }]);
  });

  it('leaves the maintenance status unchanged when the job is lost', async () => {
    const scene = await maintenanceScene({ run_compact_after: true });
    const { backup } = await afterBackup(scene);
    const compact = await only(scene, 'compact');
    await scene.storage.update(jobs, { id: backup.id }, { maintenance_status: 'maintenance_completed' });
    const stale = { ...compact, fence: compact.fence };
    const context = await scene.begin(stale);
    await scene.storage.update(jobs, { id: compact.id }, { fence: 9 });
    scene.tool.failure = new DriverError('failed', 'ended');
    const handler = scene.handlerOf(compact);
    await expect(handler.run(context)).rejects.toThrow('no longer belongs');
    expect(await scene.maintenanceStatus(backup.id)).toBe('maintenance_completed');
  });

  it('whose process vanished is never reported as done', async () => {
    const scene = await maintenanceScene({ run_compact_after: true });
    const { backup } = await afterBackup(scene);
    expect(await scene.run(await only(scene, 'compact'), 'recover')).toMatchObject({ status: 'failed' });
    expect(await scene.maintenanceStatus(backup.id)).toBe('compact_failed');
  });

  it('leaves an observed repository alone', async () => {
    const scene = await maintenanceScene({ run_compact_after: true });
    await afterBackup(scene);
    await scene.storage.update(repositories, {}, { mode: 'observe' });
    expect(await scene.run(await only(scene, 'compact'))).toMatchObject({ status: 'failed' });
  });
});

/** A job that was taken, as one that ends. */
const begun =
  (scene: MaintenanceScene) =>
  async <T extends Parameters<MaintenanceScene['begin']>[0]>(job: T): Promise<T> => {
    await scene.begin(job);
    return job;
  };
