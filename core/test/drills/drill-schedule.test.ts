import { say } from '@holdfast/plugin-api';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DrillOutcome } from '../../src/backup/drills/drill.rules.js';
import {
  getDrillSchedule,
  plannedDrills,
  putDrillSchedule,
} from '../../src/backup/drills/drill-schedules.js';
import { forgetInDrills, recallInDrills } from '../../src/backup/drills/registrations.js';
import { startDrill } from '../../src/backup/drills/start-drill.js';
import {
  type DrillScheduleRow,
  drillResults,
  drillSchedules,
  drillStandings,
  drills,
} from '../../src/backup/drills/tables.js';
import { linksOf } from '../../src/backup/repositories/former-links.js';
import { fireSlots } from '../../src/backup/schedules/calendar/fire-slots.js';
import type { JobEnd } from '../../src/engine/jobs/job-contract.js';
import { type JobRow, jobs } from '../../src/engine/jobs/tables.js';
import type { Caller } from '../../src/foundation/kernel/index.js';
import { type MaintenanceScene, maintenanceScene } from '../maintenance/maintenance-scene.js';

let scene: MaintenanceScene;
beforeEach(async () => {
  scene = await maintenanceScene();
  scene.clock.set(Date.parse('2026-03-01T12:10:00Z'));
  Object.assign(scene.dependencies.driver, { extract: async () => ({ value: null, warnings: [] }) });
});

const put = (input: object) => putDrillSchedule(scene.dependencies, scene.repository.id, input);
const row = async () => (await scene.storage.find(drillSchedules))[0] as DrillScheduleRow;
const queued = () => scene.storage.find(jobs, { where: { kind: 'drill' } });
const admin = { username: 'admin', isAdmin: true } as Caller;
const start = () => startDrill(scene.dependencies, admin, scene.repository.id);

/** Ends a running drill with what its handler adds. */
async function end(job: JobRow, told: JobEnd): Promise<void> {
  const times = { started_at: scene.clock.now() - 5_000, completed_at: scene.clock.now() };
  const patch = { status: told.status, ...times };
  await scene.storage.update(jobs, { id: job.id }, patch);
  const ended = { ...job, ...patch };
  await scene
    .handlerOf(job)
    .settle(ended, told, scene.repository)
    .commit?.(scene.storage, async () => {});
}
const outcomeOf = (verdict: DrillOutcome['verdict']): DrillOutcome => ({
  verdict,
  archive: { name: 'a', toolId: 'ab', start: 1 },
  error: null,
  coverage: { bytes: 100, passed: [{ at: scene.clock.now(), bytes: 40 }] },
  figures: {
    archiveFiles: 9,
    archiveBytes: 100,
    restoredFiles: 4,
    restoredBytes: 40,
    failedFiles: 0,
    notExaminedFiles: 0,
    comparedWithSource: 4,
    sourceChanged: 0,
    coveragePercent: 40,
  },
});
const good = (): JobEnd => ({ status: 'completed', error: null, outcome: outcomeOf('passed') });
const bad = (verdict: 'failed' | 'none'): JobEnd => ({
  status: 'failed',
  error: say`drill_without_archive: It failed.`,
  outcome: verdict === 'failed' ? outcomeOf('failed') : null,
});
const interrupted: JobEnd = { status: 'failed', error: null, outcome: { interrupted: true } };
const standing = async () => (await scene.storage.find(drillStandings))[0];

describe('the drills of a repository', () => {
  it('are off until they are scheduled, with separate limits', async () => {
    const shown = () => getDrillSchedule(scene.dependencies, scene.repository.id);
    expect(await shown()).toMatchObject({
      enabled: false,
      cron_expression: null,
      sample_files: 200,
      sample_bytes: 1_000_000_000,
      fixed_paths: [],
      last_verified_restore: null,
      coverage_percent: null,
    });
    const planned = await put({ cron_expression: ' 0  5 * * 1 ', timezone: 'Europe/Berlin' });
    expect(planned).toMatchObject({ enabled: true, next_run: '2026-03-02T04:00:00.000Z' });
    await put({ fixed_paths: ['/home/ann/'], sample_files: 3 });
    expect(await shown()).toMatchObject({ enabled: true, fixed_paths: ['home/ann'], sample_files: 3 });
    await put({ cron_expression: '' });
    expect(await shown()).toMatchObject({ enabled: false, next_run: null, sample_files: 3 });
  });

  it('run once for each planned instant, also when two instances see it', async () => {
    await put({ cron_expression: '0 5 * * *' });
    const seen = await row();
    scene.clock.set(Date.parse('2026-03-03T06:00:00Z'));
    await Promise.all([
      fireSlots(scene.dependencies, plannedDrills, [seen]),
      fireSlots(scene.dependencies, plannedDrills, [seen]),
    ]);
    const [job, ...others] = await queued();
    expect(others).toEqual([]);
    expect(job?.parameters).toMatchObject({
      sampleFiles: 200,
      plannedAt: Date.parse('2026-03-03T05:00:00Z'),
    });
  });

  it('are skipped with a reason during another one, or refused if manual', async () => {
    await put({ cron_expression: '0 5 * * *' });
    const { job_id } = await start();
    await expect(start()).rejects.toMatchObject({ code: 'conflict' });
    scene.clock.set(Date.parse('2026-03-02T05:00:00Z'));
    await fireSlots(scene.dependencies, plannedDrills, [await row()]);
    expect(await queued()).toHaveLength(1);
    expect((await row()).last_error).toContain(`drill job ${job_id} was still pending`);
  });

  it('interrupted by a shutdown are repeated once if scheduled, without a report', async () => {
    await put({ cron_expression: '0 5 * * *' });
    scene.clock.set(Date.parse('2026-03-02T05:00:00Z'));
    await fireSlots(scene.dependencies, plannedDrills, [await row()]);
    await end((await queued())[0] as JobRow, interrupted);
    const [first, second] = await queued();
    expect(second?.parameters).toEqual({ ...first?.parameters, rerunOf: first?.id });
    await end(second as JobRow, interrupted);
    expect(await queued()).toHaveLength(2);
    expect([await standing(), (await scene.storage.find(drills)).map(({ verdict }) => verdict)]).toEqual([
      undefined,
      ['none', 'none'],
    ]);
  });
});

describe('drill results', () => {
  const run = async (told: JobEnd) => {
    await start();
    scene.clock.set(scene.clock.now() + 60_000);
    await end((await queued()).at(-1) as JobRow, told);
    return standing();
  };

  it('record a pass with the coverage', async () => {
    expect(await run(good())).toMatchObject({
      passed_at: scene.clock.now(),
      passed_files: 4,
      failed_at: null,
    });
    const shown = await getDrillSchedule(scene.dependencies, scene.repository.id);
    expect(shown).toMatchObject({ coverage_percent: 40, last_verified_restore: expect.any(String) });
  });

  it('stay failed since the first failure until a pass, despite missing results', async () => {
    await run(good());
    const since = (await run(bad('failed')))?.failed_at;
    await run(bad('failed'));
    expect(await run(bad('none'))).toMatchObject({
      failed_at: since,
      failed_files: true,
      failure: 'It failed.',
    });
    expect(await run({ status: 'cancelled', error: null, outcome: null })).toMatchObject({
      failed_at: since,
    });
    expect(await run(good())).toMatchObject({ failed_at: null, failed_files: false, failure: null });
    expect((await run(bad('none')))?.failed_files).toBe(false);
  });

  it('are empty for a drill without figures', async () => {
    const { job_id } = await start();
    await scene.storage.insert(drillResults, { job_id, position: 0, at: 1, entries: [] });
    await end((await queued()).at(-1) as JobRow, bad('none'));
    expect(await scene.storage.find(drillResults)).toEqual([]);
  });

  it('return with the registration, like the schedule', async () => {
    await put({ cron_expression: '0 5 * * *' });
    await run(good());
    const { links } = await linksOf(scene.storage, scene.repository.id);
    await forgetInDrills(scene.storage, scene);
    expect([await row(), await standing()]).toEqual([undefined, undefined]);
    const { repository } = scene;
    const { events } = scene.dependencies;
    const back = { repository, links, events, at: scene.clock.now() };
    const { remarks } = await recallInDrills(scene.storage, back);
    expect(remarks.map(({ code }) => code)).toEqual(['drills_planned_again']);
    expect([(await row()).cron_expression, (await standing())?.passed_files]).toEqual(['0 5 * * *', 4]);
  });
});
