import { describe, expect, it } from 'vitest';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { scheduleRepositories, schedules } from '../../src/backup/schedules/tables.js';
import { noFigures, withEnded } from '../../src/engine/jobs/job-figures.rules.js';
import { jobFigures } from '../../src/engine/jobs/tables.js';
import { collectMetrics } from '../../src/insight/monitoring/collect-metrics.js';
import { getProtection } from '../../src/insight/monitoring/protection.js';
import { firstDay, maintenanceScene } from '../maintenance/maintenance-scene.js';

const hour = 3_600_000;
const checked = {
  kind: 'check',
  requestedAt: 0,
  startedAt: 0,
  originalSize: 0,
  deduplicatedSize: 0,
} as const;

async function scene() {
  const made = await maintenanceScene();
  const { storage, clock, repository, dependencies } = made;
  const set = (values: object) => storage.update(repositories, { id: repository.id }, values);
  clock.set(firstDay + hour);
  await set({ inventory_at: clock.now() });
  const lanes = { withLane: (_id: number, _what: string, work: () => Promise<void>) => work() };
  const protection = getProtection.bind(null, { ...dependencies, lanes: lanes as never });
  const first = async (input = {}) => {
    const { repositories: all, summary } = await protection(input);
    return { ...all[0], summary };
  };
  /** The samples of one metric, as `[labels, value]`. */
  const samplesOf = async (name: string) =>
    (await collectMetrics(dependencies)())
      .find((each) => each.name === `bk_${name}`)
      ?.samples.map(({ labels, value }) => [labels, value]);
  return { ...made, set, first, samplesOf };
}

describe('GET /api/system/protection', () => {
  it('says the same as the metrics', async () => {
    const { first, set, archive, samplesOf } = await scene();
    await set({ freshness_hours: 26 });
    await archive('young', 0);
    expect(await first()).toMatchObject({
      status: 'protected',
      promised_by: 'objective',
      promised_hours: 26,
      newest_archive_age_hours: 1,
      newest_archive: '2026-03-01T02:00:00.000Z',
      protected_until: '2026-03-02T04:00:00.000Z',
      summary: { protected: 1, late: 0, unknown: 0 },
    });
    const here = { repository: 'home' };
    expect(await samplesOf('repository_protection')).toEqual([
      [{ ...here, state: 'protected' }, 1],
      [{ ...here, state: 'late' }, 0],
      [{ ...here, state: 'unknown' }, 0],
    ]);
    expect(await samplesOf('repository_archive_age_limit_seconds')).toEqual([[here, 26 * 3_600]]);
    expect(await samplesOf('repository_protected_until_timestamp')).toEqual([
      [here, (firstDay + 26 * hour) / 1000],
    ]);
    expect(await samplesOf('repository_damaged')).toEqual([]);
  });

  it('derives the age limit from the enabled schedules of the repository', async () => {
    const { first, archive, storage, repository, schedule } = await scene();
    await archive('young', 0);
    expect(await first()).toMatchObject({ status: 'unknown', promised_hours: null, promised_by: null });
    const link = { schedule_id: schedule.id, repository_id: repository.id, position: 0 };
    await storage.insert(scheduleRepositories, link);
    const promised = { promised_by: 'schedule', promised_hours: 26, promising_schedule: 'nightly' };
    expect(await first()).toMatchObject({ status: 'protected', ...promised });
    await storage.update(schedules, { id: schedule.id }, { enabled: false });
    expect(await first()).toMatchObject({ status: 'unknown', promised_by: null });
  });

  it('refreshes an old list and ignores deleted and unfinished archives', async () => {
    const { first, set, archive, clock, tool, rows } = await scene();
    await set({ freshness_hours: 26 });
    await archive('young', 0);
    clock.set(firstDay + 3 * hour);
    tool.archives = [];
    await archive('young.checkpoint', 0);
    const known = await first({ known_only: true });
    expect(known).toMatchObject({ status: 'protected', newest_archive: '2026-03-01T02:00:00.000Z' });
    expect(await first()).toMatchObject({ status: 'late', newest_archive: null });
    expect(await rows()).toEqual([]);
    expect((await first()).archives_as_of).toBe(new Date(clock.now()).toISOString());
  });

  it.each([{ damaged: true }, { partial: true }])('never counts an archive that is %o', async (values) => {
    const { first, set, archive, storage, repository } = await scene();
    await set({ freshness_hours: 26 });
    await archive('whole', -0.5);
    await archive('newer', 0);
    await storage.update(archives, { repository_id: repository.id, name: 'newer' }, values);
    const told = await first();
    expect(told).toMatchObject({ status: 'protected', newest_archive: '2026-02-28T14:00:00.000Z' });
    expect(told.reasons?.[1]).toContain('The archive of 2026-03-01T02:00:00.000Z does not count');
    await storage.update(archives, { repository_id: repository.id }, values);
    expect(await first()).toMatchObject({ newest_archive: null, protected_until: null });
  });

  it('clears damage when a later check found it only in excluded archives', async () => {
    const { first, set, archive, storage, repository } = await scene();
    await set({ freshness_hours: 26 });
    await archive('young', 0);
    const found = { ...checked, status: 'failed', damaged: true } as const;
    const figures = withEnded(noFigures, { ...found, jobId: 7, endedAt: firstDay + 1 });
    const later = withEnded(figures, { ...found, jobId: 8, endedAt: firstDay + 2, confined: true });
    await storage.insert(jobFigures, { repository_id: repository.id, figures: later });
    expect(await first()).toMatchObject({ status: 'protected', damaged: false });
  });

  it('keeps damage in mind until a full check has passed', async () => {
    const { first, set, archive, samplesOf, storage, repository } = await scene();
    await set({ freshness_hours: 26 });
    await archive('young', 0);
    const at = (minutes: number) => firstDay + minutes * 60_000;
    let figures = withEnded(noFigures, {
      ...checked,
      jobId: 7,
      status: 'failed',
      endedAt: at(10),
      damaged: true,
    });
    await storage.insert(jobFigures, { repository_id: repository.id, figures });
    expect(await first()).toMatchObject({ status: 'unknown', damaged: true });
    expect((await first()).reasons?.[0]).toMatch(/^Check job 7 found damage/);
    expect(await samplesOf('repository_damaged')).toEqual([[{ repository: 'home' }, 1]]);

    for (const status of ['completed', 'cancelled'] as const) {
      figures = withEnded(figures, { ...checked, jobId: 8, status, endedAt: at(20), damaged: false });
    }
    await storage.update(jobFigures, {}, { figures });
    expect(await first()).toMatchObject({ status: 'unknown', damaged: true });
    expect(await samplesOf('repository_last_check_success')).toEqual([[{ repository: 'home' }, 1]]);
    await set({ last_check: at(30) });
    expect(await first()).toMatchObject({ status: 'protected', damaged: false });
    expect(await samplesOf('repository_damaged')).toEqual([[{ repository: 'home' }, 0]]);
  });
});
