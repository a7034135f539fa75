import { beforeEach, describe, expect, it } from 'vitest';
import { drillStandings } from '../../src/backup/drills/tables.js';
import { retentionPauses } from '../../src/backup/maintenance/tables.js';
import { archives } from '../../src/backup/repositories/tables.js';
import { scheduleRepositories, schedules, slots } from '../../src/backup/schedules/tables.js';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { noFigures, withEnded } from '../../src/engine/jobs/job-figures.rules.js';
import { jobFigures, jobs } from '../../src/engine/jobs/tables.js';
import { attentionCauses } from '../../src/insight/incidents/attention.rules.js';
import { causes } from '../../src/insight/incidents/incident.rules.js';
import { deliveries } from '../../src/insight/notifications/tables.js';
import { getOverview } from '../../src/insight/overview/overview.js';
import { hour, type IncidentWorld, incidentWorld, massChange, minute } from './world.js';

const gib = 2 ** 30;
const times = { created_at: 0, updated_at: 0 };
let world: IncidentWorld;
beforeEach(() => {
  world = incidentWorld();
});

/** What a new instance answers now. */
const attention = async () => (await getOverview(world)({ timezone: 'UTC' })).attention;
const named = async () =>
  (await attention()).map(({ cause, object }) => `${cause} ${object.kind} ${object.name}`);
const about = async (cause: string) => (await attention()).filter((entry) => entry.cause === cause);
const minuteLater = async () => {
  world.clock.advance(minute);
  await world.look();
};

const addSchedule = (name: string, values: object = {}) =>
  world.storage.insert(schedules, {
    ...{ name, cron_expression: '0 2 * * *', timezone: 'UTC', catch_up: 'one', ...times },
    ...values,
  });
const placeOf = (free: number, total = 100 * gib) => ({
  ...{ place_free: free, place_total: total, place_at: world.clock.now() },
});
const ended = { jobId: 7, requestedAt: 0, startedAt: 0, originalSize: 0, deduplicatedSize: 0 };

/** One of each cause. */
async function everything() {
  const { storage, clock } = world;
  const now = clock.now();
  const bad = await world.repository('bad');
  await world.archive(bad, now - 3 * hour);
  await storage.update(archives, {}, { partial: true });
  await world.archive(bad, now - 30 * hour);
  await world.set(bad.id, { ...placeOf(gib), inventory_at: now - 49 * hour });
  const check = { ...ended, kind: 'check' as const, status: 'failed' as const, endedAt: now - 5 };
  await storage.insert(jobFigures, {
    repository_id: bad.id,
    figures: withEnded(noFigures, { ...check, damaged: true }),
  });
  await storage.insert(drillStandings, { repository_id: bad.id, failed_at: now - 9, failure: 'No space.' });
  const nightly = await addSchedule('nightly', { last_error: 'It broke.', last_run: now - 4 });
  await addSchedule('emptied', { enabled: false, last_error: 'Its last repository went.' });
  const link = { schedule_id: nightly.id, repository_id: bad.id };
  await storage.insert(scheduleRepositories, { ...link, position: 0 });
  await storage.insert(retentionPauses, { ...link, reason: 'a source was missing', job_id: 1, since: now });
  const off = await addSchedule('off', { enabled: false, last_error: 'failed before' });
  await storage.insert(scheduleRepositories, { schedule_id: off.id, repository_id: bad.id, position: 0 });
  await addSchedule('far', { enabled: true, next_run: now + 400 * 24 * hour });
  const closed = await world.repository('closed', 200);
  await world.archive(closed, now);
  const error = { open_error_at: now - minute, open_error: 'Nobody is there.' };
  await world.set(closed.id, { ...error, open_error_kind: 'repository_missing' });
  const full = await world.repository('full', 200);
  await world.archive(full);
  await world.set(full.id, { ...error, open_error_kind: 'quota' });
  const old = await world.repository('old', null);
  await world.archive(old);
  await world.set(old.id, { unsigned_archives: 2, mass_change: massChange, mass_change_at: now });
  await storage.insert(sshConnections, {
    ...{ host: 'nas', port: 22, username: 'me', status: 'host_key_changed', ...times },
  });
}

async function park(settingId: number) {
  await world.storage.insert(deliveries, {
    ...{ message_id: 'm', setting_id: settingId, event_id: 1, first_at: 0, status: 'parked' },
    ...{ next_attempt_at: 0, queued_at: 0, created_at: 0, ended_at: world.clock.now() },
  });
}

describe('the attention list', () => {
  it('has one entry per cause and object, most urgent first, before any incident', async () => {
    await everything();
    expect(await named()).toEqual([
      'damaged repository bad',
      'cannot_open repository closed',
      'mass_change repository old',
      'drill_failed repository bad',
      'late repository bad',
      'archives_unsigned repository old',
      'host_key_changed connection me@nas:22',
      'storage_full repository full',
      'storage_nearly_full repository bad',
      'schedule_failing schedule nightly',
      'schedule_failing schedule emptied',
      'planned_too_far schedule far',
      'retention_paused repository bad',
      'archive_incomplete repository bad',
      'list_outdated repository bad',
      'not_covered repository old',
      'no_channel service Holdfast',
      'recovery_sheet service Holdfast',
    ]);
    expect(await world.all()).toEqual([]);
  });

  it('names each open incident in its words', async () => {
    await everything();
    const { id } = await world.create();
    await park(id);
    for (const place of [world.disk, world.own]) place.free = 20;
    world.needs.driver.listArchives = () => Promise.reject(new Error('unreachable'));
    world.clock.advance(5 * minute);
    await world.look();
    const open = await world.open();
    expect(new Set(open.map(({ cause }) => cause))).toEqual(new Set(causes));
    const told = await attention();
    const shown = open.map((row) => told.find(({ incident_id }) => incident_id === row.id));
    expect(shown.map((entry) => [entry?.cause, entry?.code, entry?.params, entry?.text])).toEqual(
      open.map(({ cause, code, params, sentence }) => [cause, code, params, sentence]),
    );
    const hints = told.flatMap(({ incident_id, cause }) => (incident_id === null ? [cause] : []));
    expect(hints).toEqual(['archive_incomplete', 'list_outdated', 'not_covered', 'recovery_sheet']);
    expect([...causes, ...hints, 'no_channel', 'unknown'].sort()).toEqual([...attentionCauses].sort());
  });

  it('shows a problem before its incident opens', async () => {
    await world.create();
    const home = await world.repository('home');
    const { storage, clock } = world;
    await world.archive(home, clock.now() - 30 * hour);
    await storage.insert(jobs, {
      ...{ kind: 'backup', status: 'pending', repository_id: home.id, repository_path: '/r' },
      ...{ repository_name: 'home', requested_by: 'a', requested_at: clock.now(), parameters: {} },
      progress: {} as never,
    });
    const error = { open_error: 'Nobody is there.', open_error_at: clock.now() };
    await world.set(home.id, { ...error, open_error_kind: 'repository_missing' });
    await world.look();
    expect(await world.all()).toEqual([]);
    expect((await named()).slice(0, 2)).toEqual(['cannot_open repository home', 'late repository home']);
  });

  it('has an entry for a repository without a first archive', async () => {
    const home = await world.repository('home');
    await world.look();
    expect(await about('unknown')).toMatchObject([
      { object: { id: home.id }, code: 'protection_first_archive_due', incident_id: null },
    ]);
    await world.archive(home);
    expect(await about('unknown')).toEqual([]);
  });

  it('drops a solved problem before its incident closes', async () => {
    await world.create();
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    await world.look();
    expect(await about('late')).toMatchObject([{ incident_id: 1, code: 'incident_late' }]);
    await world.archive(home);
    expect([await about('late'), (await world.open()).length]).toEqual([[], 1]);
  });

  it('keeps an incident if its state cannot be determined', async () => {
    await world.create();
    const home = await world.repository('home');
    await world.archive(home);
    const { id } = await addSchedule('nightly', { last_error: 'It broke.' });
    await world.storage.insert(scheduleRepositories, {
      schedule_id: id,
      repository_id: home.id,
      position: 0,
    });
    await world.look();
    await world.storage.update(schedules, { id }, { last_error: null });
    await world.storage.insert(slots, {
      ...{ schedule_id: id, planned_at: 1, trigger: 'schedule', job_ids: [], outcome: 'running' },
    });
    expect(await about('schedule_failing')).toMatchObject([{ text: expect.stringContaining('It broke.') }]);
    await world.storage.update(slots, {}, { outcome: 'completed' });
    expect(await about('schedule_failing')).toEqual([]);
  });

  it('sorts the oldest problem first', async () => {
    const hours = [30, 50, 40];
    for (const ago of hours)
      await world.archive(await world.repository(`${ago}`), world.clock.now() - ago * hour);
    expect((await about('late')).map(({ object }) => object.name)).toEqual(['50', '40', '30']);
  });

  it('reports only the open error of a repository, not its outdated list', async () => {
    const home = await world.repository('home', null);
    await world.archive(home);
    const error = { open_error: 'gone', open_error_kind: 'repository_missing' as const };
    await world.set(home.id, { ...error, inventory_at: 0 });
    const found = await attention();
    expect(found.map(({ cause }) => cause)).toEqual([
      ...['cannot_open', 'not_covered', 'no_channel', 'recovery_sheet'],
    ]);
    expect(found[0]?.params).toMatchObject({ reason: 'gone', reason_code: 'tool_repository_missing' });
  });
});

describe('a nearly full location', () => {
  const isShown = async () => (await about('storage_nearly_full')).map(({ incident_id }) => incident_id);

  it('has less than 5% or 1 GiB, or half of a small file system', async () => {
    const { id } = await world.repository('home', 1_000);
    const isFull = async (free: number, total: number) => {
      await world.set(id, placeOf(Math.round(free * gib), total * gib));
      return (await isShown()).length > 0;
    };
    expect([await isFull(4.9, 100), await isFull(5, 100)]).toEqual([true, false]);
    expect([await isFull(0.99, 10), await isFull(1, 10)]).toEqual([true, false]);
    expect([await isFull(0.49, 1), await isFull(0.5, 1), await isFull(0, 0)]).toEqual([true, false, false]);
  });

  it('uses the latest reading of repository or incident watch', async () => {
    await world.create();
    const home = await world.repository('home', 1_000);
    await world.archive(home);
    await world.set(home.id, placeOf(90 * gib));
    Object.assign(world.disk, { free: gib, total: 100 * gib });
    world.clock.advance(minute);
    await world.look();
    expect(await isShown()).toEqual([1]);
    await minuteLater();
    await world.set(home.id, placeOf(7 * gib));
    expect(await isShown()).toEqual([1]);
    await world.set(home.id, placeOf(9 * gib));
    expect(await isShown()).toEqual([]);
  });
});
