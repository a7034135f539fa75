import { DriverError } from '@holdfast/plugin-api/driver';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { repositories } from '../../src/backup/repositories/tables.js';
import { schedules } from '../../src/backup/schedules/tables.js';
import { JobAborted } from '../../src/engine/jobs/job-aborted.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import { type MaintenanceScene, maintenanceScene } from './maintenance-scene.js';

let scene: MaintenanceScene;
let backup: JobRow;

/** The prune job that the end of the newest backup queues. */
async function pruneJob(): Promise<JobRow> {
  await scene.settle(backup, {});
  const [job] = await scene.pending();
  if (!job) throw new Error('no prune was queued');
  return job;
}

beforeEach(async () => {
  scene = await maintenanceScene({ run_prune_after: true });
  backup = await scene.backup();
});

const names = () => scene.tool.archives.map(({ name }) => name);

describe('a prune', () => {
  it("removes exactly the archives that its schedule's retention does not keep", async () => {
    for (const day of [0, 1, 2, 3]) await scene.archive(`web-${day}`, day);
    await scene.archive('web-of-another', 0, { scheduleId: 77 });
    await scene.archive('web-by-hand', 0, { scheduleId: null });
    await scene.archive('web-of-nobody', 0, { job_id: null, schedule_id: null });
    await scene.archive('web-without-comment', 0, { comment: '', job_id: null, schedule_id: null });
    const result = await scene.run(await pruneJob());
    expect(scene.tool.deleted).toEqual([['web-1', 'web-0']]);
    expect(result).toMatchObject({
      status: 'completed',
      outcome: {
        plan: [
          { name: 'web-3', rule: 'daily #1', start: Date.UTC(2026, 2, 4, 2) },
          { name: 'web-2', rule: 'daily #2' },
          { name: 'web-1', rule: null },
          { name: 'web-0', rule: null },
        ],
        removed: ['web-1', 'web-0'],
      },
      events: ['archives_changed'],
    });
    expect(scene.lines).toEqual([
      'Keeping archive (rule: daily #1): web-3 (2026-03-04T02:00:00.000Z)',
      'Keeping archive (rule: daily #2): web-2 (2026-03-03T02:00:00.000Z)',
      'Removing archive: web-1 (2026-03-02T02:00:00.000Z)',
      'Removing archive: web-0 (2026-03-01T02:00:00.000Z)',
      'Archives kept: 2; removed: 2.',
    ]);
    expect((await scene.rows()).toSorted()).toEqual(names().toSorted());
    expect(await scene.storage.find(repositories)).toMatchObject([{ archive_count: 6, stored_size: 4711 }]);
    expect(await scene.storage.find(schedules)).toMatchObject([{ last_prune: scene.clock.now() }]);
  });

  it('keeps archives younger than prune_keep_within before applying the other rules', async () => {
    for (const day of [0, 1, 2, 3]) await scene.archive(`web-${day}`, day);
    await scene.storage.update(schedules, {}, { prune_keep_within: '36H', prune_keep_daily: 1 });
    const job = await pruneJob();
    scene.clock.set(Date.UTC(2026, 2, 4, 3));
    await scene.run(job);
    expect(scene.lines.slice(0, 3)).toEqual([
      expect.stringContaining('within #1): web-3'),
      expect.stringContaining('within #2): web-2'),
      expect.stringContaining('daily #1): web-1'),
    ]);
    expect(scene.tool.deleted).toEqual([['web-0']]);
  });

  it('calls the tool for nothing when all archives are kept', async () => {
    await scene.archive('web-0', 0);
    expect(await scene.run(await pruneJob())).toMatchObject({ status: 'completed', events: [] });
    expect(scene.tool.deleted).toEqual([]);
  });

  it('never removes the newest good archive', async () => {
    const good = await scene.backup();
    const empty = { stats: { files: 0 } };
    const warned = await scene.backup({ status: 'completed_with_warnings', outcome: empty });
    const failed = await scene.backup({ status: 'failed' });
    await scene.archive('older', 0);
    await scene.archive('good', 1, { jobId: good.id });
    await scene.archive('empty', 2, { jobId: warned.id });
    await scene.archive('failed', 3, { jobId: failed.id });
    await scene.storage.update(schedules, {}, { prune_keep_daily: 1 });
    expect(await scene.run(await pruneJob())).toMatchObject({
      outcome: {
        plan: [
          { name: 'failed', rule: 'daily #1' },
          { name: 'empty', rule: null },
          { name: 'good', rule: 'daily #1' },
          { name: 'older', rule: null },
        ],
        removed: ['empty', 'older'],
      },
    });
  });

  it.each([
    [
      'one with warnings and with files',
      { status: 'completed_with_warnings', outcome: { stats: { files: 1 } } },
    ],
    ['one of a completed job', { status: 'completed' }],
    ['one whose job is not known any more', null],
  ] as const)('treats %s as good', async (_, values) => {
    const jobId = values ? (await scene.backup(values)).id : 9_999;
    const failed = await scene.backup({ status: 'cancelled' });
    await scene.archive('good', 0, { jobId });
    await scene.archive('bad', 1, { jobId: failed.id });
    await scene.storage.update(schedules, {}, { prune_keep_daily: 1 });
    await scene.run(await pruneJob());
    expect(names()).toEqual(['good', 'bad']);
  });

  it('uses recorded jobs and ignores copied comments', async () => {
    for (const day of [0, 1]) await scene.archive(`web-${day}`, day);
    const unrecorded = { jobId: backup.id, job_id: null, schedule_id: null };
    for (const day of [2, 3, 2_000]) await scene.archive(`forged-${day}`, day, unrecorded);
    expect(await scene.run(await pruneJob())).toMatchObject({ outcome: { removed: [] } });
    expect(scene.lines).toContain('Archives kept: 2; removed: 0.');
  });

  it('ignores archives of others with any comments, dates and names', async () => {
    const days = fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(days, days, fc.integer({ min: 1, max: 4 }), async (own, others, keep) => {
        const removed = [];
        for (const foreign of [[], others]) {
          const alone = await maintenanceScene({ run_prune_after: true, prune_keep_daily: keep });
          const job = await alone.backup();
          for (const [index, day] of own.entries()) await alone.archive(`own-${index}`, day);
          for (const [index, day] of foreign.entries()) {
            const whose = [null, 77][index % 2] ?? null;
            await alone.archive(`own-${index}-too`, day, {
              jobId: job.id,
              job_id: whose,
              schedule_id: whose,
            });
          }
          await alone.settle(job, {});
          const [prune] = await alone.pending();
          const { outcome } = await alone.run(prune as JobRow);
          removed.push(outcome?.removed);
        }
        expect(removed[1]).toEqual(removed[0]);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps archives dated in the future without counting them', async () => {
    for (const day of [0, 1, 2]) await scene.archive(`web-${day}`, day);
    for (const day of [2_000, 2_001]) await scene.archive(`ahead-${day}`, day);
    await scene.run(await pruneJob());
    expect(names()).toEqual(['web-1', 'web-2', 'ahead-2000', 'ahead-2001']);
    expect(scene.lines[0]).toMatch(/^Keeping archive \(rule: in the future\): ahead-2001/);
  });

  it('never removes the archive of the run that asked for it', async () => {
    await scene.archive('own', 0, { jobId: backup.id });
    for (const day of [1, 2, 3]) await scene.archive(`web-${day}`, day);
    await scene.run(await pruneJob());
    expect(names()).toEqual(['own', 'web-2', 'web-3']);
  });

  it('keeps complete archives in addition to incomplete ones', async () => {
    for (const day of [0, 1, 2]) await scene.archive(`whole-${day}`, day, { lacking: [] });
    for (const day of [3, 4, 5]) await scene.archive(`partial-${day}`, day, { lacking: ['/mnt/disk'] });
    for (const day of [6, 7, 8]) await scene.archive(`damaged-${day}`, day, { damaged: true });
    for (const day of [9, 10]) await scene.archive(`empty-${day}`, day, { files: 0 });
    await scene.run(await pruneJob());
    expect(names()).toEqual(['whole-1', 'whole-2', 'partial-5', 'empty-9', 'empty-10']);
  });

  it('never counts a checkpoint', async () => {
    await scene.archive('web-0', 0);
    await scene.archive('web-1.checkpoint', 1);
    await scene.storage.update(schedules, {}, { prune_keep_daily: 1 });
    await scene.run(await pruneJob());
    expect(names()).toEqual(['web-0', 'web-1.checkpoint']);
  });

  it('fails without a rule that keeps anything, and removes nothing', async () => {
    await scene.archive('web-0', 0);
    await scene.storage.update(schedules, {}, { prune_keep_daily: 0 });
    expect(await scene.run(await pruneJob())).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('prune_keep_') },
    });
    expect(names()).toEqual(['web-0']);
    expect(await scene.storage.find(schedules)).toMatchObject([{ last_prune: null }]);
  });

  it('keeps archives of a deleted schedule and of an observed repository', async () => {
    for (const day of [0, 1, 2]) await scene.archive(`web-${day}`, day);
    const job = await pruneJob();
    await scene.storage.update(repositories, {}, { mode: 'observe' });
    expect(await scene.run(job)).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('observe') },
    });
    await scene.storage.update(repositories, {}, { mode: 'full' });
    await scene.storage.remove(schedules, {});
    expect(await scene.run(job)).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('deleted') },
    });
    expect(scene.tool.deleted).toEqual([]);
  });

  it('warns of archives that another program removed first', async () => {
    for (const day of [0, 1, 2]) await scene.archive(`web-${day}`, day);
    scene.tool.vanished.add('web-0');
    expect(await scene.run(await pruneJob())).toMatchObject({
      status: 'completed_with_warnings',
      error: { text: 'These archives no longer existed: web-0.' },
    });
    expect((await scene.rows()).toSorted()).toEqual(['web-1', 'web-2']);
    expect(await scene.maintenanceStatus(backup.id)).toBe('maintenance_completed');
  });

  it.each([
    ['failed', null],
    ['failed', { interrupted: true }],
    ['cancelled', null],
  ] as const)('ended as %s lets the next reader list the archives (outcome %o)', async (status, outcome) => {
    await scene.archive('web-0', 0);
    await scene.storage.update(repositories, {}, { inventory_at: 5 });
    const job = await pruneJob();
    scene.tool.failure = new DriverError('failed', 'disk full');
    await scene.begin(job);
    expect(await scene.settle(job, { status, outcome })).toEqual([]);
    expect(await scene.storage.find(repositories)).toMatchObject([{ inventory_at: null }]);
    expect(await scene.rows()).toEqual(['web-0']);
    expect(await scene.maintenanceStatus(backup.id)).toBe('prune_failed');
  });
});

describe('a prune whose job was taken over', () => {
  it('leaves the inventory unchanged and removes nothing', async () => {
    for (const day of [0, 1, 2, 3]) await scene.archive(`web-${day}`, day);
    const known = await scene.rows();
    scene.tool.archives.pop();
    const job = await pruneJob();
    const context = await scene.begin(job);
    await scene.storage.update(jobs, { id: job.id }, { fence: 9 });
    await expect(scene.handlerOf(job).run(context)).rejects.toThrow(new JobAborted('lost'));
    expect(await scene.rows()).toEqual(known);
    expect(scene.tool.deleted).toEqual([]);
  });
});

describe('a prune whose process vanished', () => {
  it('is completed if nothing was left to remove, otherwise failed', async () => {
    for (const day of [0, 1, 2]) await scene.archive(`web-${day}`, day);
    const job = await pruneJob();
    expect(await scene.run(job, 'recover')).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('1 archives') },
    });
    expect(scene.tool.deleted).toEqual([]);
    scene.tool.archives.shift();
    expect(await scene.run(job, 'recover')).toMatchObject({ status: 'completed' });
    expect(await scene.storage.find(jobs, { where: { id: backup.id } })).toMatchObject([
      { maintenance_status: 'maintenance_completed' },
    ]);
  });
});
