import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  forgetInMaintenance,
  getCheckSchedule,
  plannedChecks,
  putCheckSchedule,
} from '../../src/backup/maintenance/check-schedules.js';
import { type CheckScheduleRow, checkSchedules } from '../../src/backup/maintenance/tables.js';
import { deleteRepository } from '../../src/backup/repositories/delete-repository.js';
import { fireSlots } from '../../src/backup/schedules/calendar/fire-slots.js';
import { makeSlotWorker } from '../../src/backup/schedules/calendar/index.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { events } from '../../src/foundation/events/tables.js';
import { type MaintenanceScene, maintenanceScene } from './maintenance-scene.js';

let scene: MaintenanceScene;
beforeEach(async () => {
  scene = await maintenanceScene();
  scene.clock.set(Date.parse('2026-03-01T12:10:00Z'));
});

const put = (input: object) => putCheckSchedule(scene.dependencies, scene.repository.id, input);
const row = async () => (await scene.storage.find(checkSchedules))[0] as CheckScheduleRow;
const at = async (time: string) => {
  const seen = await row();
  scene.clock.set(Date.parse(time));
  await fireSlots(scene.dependencies, plannedChecks, [seen]);
};
const checks = () => scene.storage.find(jobs, { where: { kind: 'check' } });

describe('the checks of a repository', () => {
  it('are off until they are planned, and can be switched off again', async () => {
    const shown = () => getCheckSchedule(scene.dependencies, scene.repository.id);
    expect(await shown()).toMatchObject({ enabled: false, check_cron_expression: null, timezone: 'UTC' });
    const { repository } = await put({ cron_expression: ' 0  4 * * 0 ', timezone: 'Europe/Berlin' });
    expect(repository).toMatchObject({
      id: scene.repository.id,
      check_cron_expression: '0 4 * * 0',
      check_max_duration: 3600,
      next_scheduled_check: '2026-03-08T03:00:00.000Z',
    });
    await put({ max_duration: 0, verify_data: true });
    expect(await shown()).toMatchObject({ enabled: true, check_verify_data: true, check_max_duration: 0 });
    await put({ cron_expression: '' });
    expect(await shown()).toMatchObject({
      enabled: false,
      next_scheduled_check: null,
      check_verify_data: true,
      timezone: 'Europe/Berlin',
    });
    expect(await scene.storage.find(checkSchedules)).toHaveLength(1);
    const told = await scene.storage.find(events, { where: { kind: 'schedule_changed' } });
    expect(told.map(({ repository_id, data }) => [repository_id, data])).toEqual([
      [scene.repository.id, { check_schedule: true, change: 'created', enabled: true }],
      [scene.repository.id, { check_schedule: true, change: 'updated', enabled: true }],
      [scene.repository.id, { check_schedule: true, change: 'updated', enabled: false }],
    ]);
  });

  it.each([
    [{ cron_expression: 'each night' }],
    [{ cron_expression: '0 0 30 2 *' }],
    [{ timezone: 'Mars/Base' }],
    [{ verify_data: true }],
  ])('are not planned as %j', async (input) => {
    await expect(put(input)).rejects.toMatchObject({ code: 'invalid' });
    expect(await row()).toBeUndefined();
  });

  it('go with its registration', async () => {
    await put({ cron_expression: '0 * * * *' });
    const driver = { forget: async () => undefined };
    await deleteRepository(
      { ...scene.dependencies, driver } as never,
      [forgetInMaintenance],
      scene.repository.id,
    );
    expect(await row()).toBeUndefined();
  });
});

describe('a check that is due', () => {
  beforeEach(() => put({ cron_expression: '0 * * * *', max_duration: 0 }));

  it('is queued once, and its schedule advances', async () => {
    const seen = await row();
    scene.clock.set(Date.parse('2026-03-01T13:00:01Z'));
    await Promise.all([
      fireSlots(scene.dependencies, plannedChecks, [seen]),
      fireSlots(scene.dependencies, plannedChecks, [seen]),
    ]);
    expect(await checks()).toMatchObject([
      {
        status: 'pending',
        requested_by: 'check schedule',
        parameters: { plannedAt: Date.parse('2026-03-01T13:00:00Z'), maxSeconds: 0, repair: false },
      },
    ]);
    expect(await row()).toMatchObject({ next_run: Date.parse('2026-03-01T14:00:00Z'), last_error: null });
  });

  it('is queued neither early nor again when the clock goes back', async () => {
    await at('2026-03-01T12:59:59Z');
    expect(await checks()).toEqual([]);
    await at('2026-03-01T13:00:00Z');
    await scene.storage.update(jobs, { kind: 'check' }, { status: 'completed' });
    await scene.storage.update(checkSchedules, {}, { next_run: Date.parse('2026-03-01T13:00:00Z') });
    await at('2026-03-01T13:00:02Z');
    expect(await checks()).toHaveLength(1);
  });

  it('replaces all missed ones', async () => {
    await at('2026-03-03T07:20:00Z');
    expect(await checks()).toMatchObject([{ parameters: { plannedAt: Date.parse('2026-03-03T07:00:00Z') } }]);
    expect((await row()).next_run).toBe(Date.parse('2026-03-03T08:00:00Z'));
  });

  it('is skipped with a reason while another one waits or runs', async () => {
    await at('2026-03-01T13:00:00Z');
    await at('2026-03-01T14:00:00Z');
    expect(await checks()).toHaveLength(1);
    expect((await row()).last_error).toMatch(/14:00:00.*skipped: check job \d+ was still pending/);
  });

  it.each(['2027-03-01T12:00:00Z', '2026-03-01T13:00:00Z'])(
    'runs within one period when the clock was ahead until %s',
    async (ahead) => {
      const now = Date.parse('2026-03-01T12:10:00Z');
      await at(ahead);
      await scene.storage.update(jobs, { kind: 'check' }, { status: 'completed' });
      scene.clock.set(now);
      const worker = makeSlotWorker(scene.dependencies, [plannedChecks]);
      worker.start();
      await vi.waitFor(async () => expect((await row()).next_run).toBe(Date.parse('2026-03-01T13:00:00Z')));
      await worker.stop();
      await at('2026-03-01T13:00:00Z');
      expect(await checks()).toHaveLength(2);
    },
  );

  it('runs after a user planned it again when the clock was ahead', async () => {
    await at('2027-03-01T12:00:00Z');
    await scene.storage.update(jobs, { kind: 'check' }, { status: 'completed' });
    await scene.storage.update(checkSchedules, {}, { next_run: Date.parse('2026-03-01T13:00:00Z') });
    await at('2026-03-01T13:00:00Z');
    expect(await checks()).toHaveLength(2);
  });

  it('does not run by its old plan after a change', async () => {
    const seen = await row();
    await put({ cron_expression: '30 * * * *' });
    scene.clock.set(Date.parse('2026-03-01T13:00:00Z'));
    await fireSlots(scene.dependencies, plannedChecks, [seen]);
    expect(await checks()).toEqual([]);
  });

  it('reports an unknown time zone once', async () => {
    await scene.storage.update(checkSchedules, {}, { timezone: 'Europe/Gone' });
    await at('2026-03-01T13:00:00Z');
    expect(await row()).toMatchObject({ next_run: null, last_error: expect.stringContaining('Europe/Gone') });
    const failures = { where: { kind: 'schedule_failure' } };
    expect(await scene.storage.find(events, failures)).toHaveLength(1);
  });
});
