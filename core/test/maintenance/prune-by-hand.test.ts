import { pruneInput } from '@holdfast/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { startPrune } from '../../src/backup/maintenance/start-prune.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { type MaintenanceScene, maintenanceScene } from './maintenance-scene.js';

const caller = { userId: 1, username: 'alice', isAdmin: true, readOnly: false, tokenId: 1 };
const none = { keep_daily: 0, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0 };
let scene: MaintenanceScene;

beforeEach(async () => {
  scene = await maintenanceScene({ run_compact_after: true });
});

const order = (input: object) =>
  startPrune(scene.dependencies, caller, scene.repository.id, pruneInput.parse({ ...none, ...input }));
/** Queues a prune and runs it. */
async function prune(input: object) {
  const { job_id } = await order(input);
  return scene.run(await scene.jobOf(job_id));
}
const names = () => scene.tool.archives.map(({ name }) => name);

describe('a manual prune', () => {
  it('covers every finished archive of the repository by any program', async () => {
    await scene.archive('web-0', 0);
    await scene.archive('foreign', 1, { comment: '' });
    await scene.archive('other', 2, { scheduleId: 77 });
    await scene.archive('late.checkpoint', 3);
    await scene.archive('newest', 4, { scheduleId: null });
    const result = await prune({ keep_daily: 2, confirm_more_than_half: true });
    expect(result).toMatchObject({ status: 'completed', outcome: { removed: ['foreign', 'web-0'] } });
    expect(names()).toEqual(['other', 'late.checkpoint', 'newest']);
    expect(await scene.pending()).toEqual([]);
    expect(await scene.storage.find(schedules)).toMatchObject([{ last_prune: null }]);
  });

  it('counts nothing that is dated into the future', async () => {
    for (const day of [0, 1]) await scene.archive(`web-${day}`, day);
    await scene.archive('ahead', 2_000, { comment: '', job_id: null, schedule_id: null });
    const { outcome } = await prune({ keep_daily: 1, dry_run: true });
    expect(outcome?.plan).toMatchObject([
      { name: 'ahead', rule: 'in the future' },
      { name: 'web-1', rule: 'daily #1' },
      { name: 'web-0', rule: null },
    ]);
  });

  it('covers only the archives of a given schedule', async () => {
    await scene.storage.insert(scheduleRepositories, { schedule_id: 1, repository_id: 1, position: 0 });
    for (const day of [0, 1]) await scene.archive(`web-${day}`, day);
    await scene.archive('by-hand', 0, { scheduleId: null });
    await prune({ keep_daily: 1, schedule_id: scene.schedule.id });
    expect(names()).toEqual(['web-1', 'by-hand']);
    expect(await scene.storage.find(schedules)).toMatchObject([{ last_prune: scene.clock.now() }]);
  });

  it('keeps archives younger than keep_within at its start', async () => {
    const now = scene.clock.now();
    const days = (now - Date.UTC(2026, 2, 1, 2)) / 86_400_000;
    for (const age of [0.5, 1.5, 2.5, 9]) await scene.archive(`age-${age}`, days - age);
    const { outcome } = await prune({ keep_within: '2d', dry_run: true });
    expect(outcome?.plan).toMatchObject([
      { name: 'age-0.5', rule: 'within #1' },
      { name: 'age-1.5', rule: 'within #2' },
      { name: 'age-2.5', rule: null },
      { name: 'age-9', rule: null },
    ]);
  });

  it('removes nothing without confirmation if more than half would go', async () => {
    for (const day of [0, 1, 2]) await scene.archive(`web-${day}`, day);
    expect(await prune({ keep_daily: 1 })).toMatchObject({
      status: 'failed',
      error: { text: expect.stringContaining('2 of 3 archives') },
      events: [],
    });
    expect(names()).toHaveLength(3);
    expect(await prune({ keep_daily: 2 })).toMatchObject({ status: 'completed' });
    expect(await prune({ keep_daily: 1 })).toMatchObject({ status: 'completed' });
    expect(names()).toEqual(['web-2']);
  });

  it('never removes the newest good archive, regardless of other installations', async () => {
    const failed = await scene.backup({ status: 'failed' });
    const comment = `holdfast:1:other:${scene.schedule.id}:${failed.id}`;
    await scene.archive('good', 0, { comment, job_id: null, schedule_id: null });
    await scene.archive('bad', 1, { jobId: failed.id });
    await scene.archive('worse', 2, { jobId: failed.id });
    await prune({ keep_daily: 1, confirm_more_than_half: true });
    expect(names()).toEqual(['good', 'worse']);
  });

  it('removes nothing as a dry run, and repeats it after a crash', async () => {
    for (const day of [0, 1, 2]) await scene.archive(`web-${day}`, day);
    expect(await prune({ keep_daily: 1, dry_run: true })).toMatchObject({
      status: 'completed',
      outcome: { removed: [] },
      events: [],
    });
    expect([names().length, scene.tool.deleted]).toEqual([3, []]);
    expect(await scene.rows()).toHaveLength(3);
    const { job_id } = await order({ keep_daily: 1, dry_run: true });
    expect(await scene.run(await scene.jobOf(job_id), 'recover')).toMatchObject({ status: 'failed' });
  });

  it('has to be confirmed in a browser, unless it is a dry run', async () => {
    const start = (confirmedUntil: number, input: object) =>
      startPrune(
        scene.dependencies,
        { ...caller, confirmedUntil },
        scene.repository.id,
        pruneInput.parse(input),
      );
    const now = scene.dependencies.clock.now();
    await expect(start(now, {})).rejects.toMatchObject({ reason: { code: 'confirmation_required' } });
    const { job_id } = await start(now, { dry_run: true });
    await scene.run(await scene.jobOf(job_id));
    expect(await start(now + 1, {})).toMatchObject({ success: true });
  });

  it('is refused if it keeps nothing or its schedule lacks the repository', async () => {
    await expect(order({})).rejects.toMatchObject({ code: 'invalid' });
    await expect(order({ keep_daily: 1, schedule_id: scene.schedule.id })).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(order({ keep_daily: 1, schedule_id: 99 })).rejects.toMatchObject({ code: 'not_found' });
    expect(await scene.pending()).toEqual([]);
  });
});
