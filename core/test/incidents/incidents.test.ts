import { beforeEach, describe, expect, it, vi } from 'vitest';
import { drillSchedules } from '../../src/backup/drills/tables.js';
import { checkSchedules, retentionPauses } from '../../src/backup/maintenance/tables.js';
import { archives, repositories } from '../../src/backup/repositories/tables.js';
import { scheduleRepositories, schedules, slots } from '../../src/backup/schedules/tables.js';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { noFigures, withEnded } from '../../src/engine/jobs/job-figures.rules.js';
import { jobFigures, jobs } from '../../src/engine/jobs/tables.js';
import { events } from '../../src/foundation/events/tables.js';
import { say } from '../../src/foundation/kernel/index.js';
import { duties } from '../../src/insight/incidents/tables.js';
import { closeIncident } from '../../src/insight/incidents/write-incidents.js';
import { deliveries, notificationSettings } from '../../src/insight/notifications/tables.js';
import { manualClock } from '../fakes/manual-clock.js';
import { hour, type IncidentWorld, incidentWorld, massChange, minute } from './world.js';

let world: IncidentWorld;
beforeEach(async () => {
  world = incidentWorld();
  await world.create();
});
const causes = async () => (await world.open()).map(({ cause }) => cause);
const job = {
  repository_path: '/r',
  repository_name: 'home',
  requested_by: 'nightly',
  parameters: {},
  progress: {} as never,
};

describe('a late repository', () => {
  it('is reported once, and once when a new archive resolves it', async () => {
    const { clock, look, told } = world;
    const home = await world.repository('home');
    await world.archive(home);
    await look();
    expect([await causes(), await told()]).toEqual([[], []]);
    clock.advance(24 * hour);
    await world.set(home.id, { inventory_at: clock.now() });
    await look(2);
    expect(await causes()).toEqual([]);
    clock.advance(1);
    await look(3);
    expect([await causes(), await told()]).toEqual([['late'], ['backup_late to 1']]);
    clock.advance(5 * hour);
    await world.archive(home);
    await look(3);
    expect([await causes(), await told()]).toEqual([[], ['backup_late to 1', 'backup_on_time_again to 1']]);
    const [row] = await world.all();
    expect(row).toMatchObject({ is_open: false, open_thread: null, recovery_code: 'incident_over_late' });
    const { incidents } = await world.listIncidents({ limit: 1 });
    expect(incidents[0]?.recovery?.params).toEqual({ newest_archive: new Date(clock.now()).toISOString() });
    expect(await world.happened('incident_opened')).toHaveLength(1);
    expect(await world.happened('incident_closed')).toHaveLength(1);
    expect((await world.happened('protection_changed')).map(({ from, to }) => [from, to])).toEqual([
      ['protected', 'late'],
      ['late', 'protected'],
    ]);
  });

  it('is late again in a second incident', async () => {
    const home = await world.repository('home');
    for (const _ of [1, 2]) {
      await world.archive(home);
      await world.look();
      world.clock.advance(25 * hour);
      await world.set(home.id, { inventory_at: world.clock.now() });
      await world.look();
    }
    expect(await world.all()).toHaveLength(2);
    expect(await causes()).toEqual(['late']);
  });

  it('stays late with an outdated list, and ends silently without an age limit', async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    await world.look();
    await world.set(home.id, { inventory_at: null });
    world.needs.driver.listArchives = () => Promise.reject(new Error('unreachable'));
    world.clock.advance(2 * minute);
    await world.look();
    expect(await causes()).toEqual(['late']);
    await world.set(home.id, { freshness_hours: null });
    world.clock.advance(2 * minute);
    await world.look();
    expect([await causes(), await world.told()]).toEqual([[], ['backup_late to 1']]);
  });

  it('reads the list first and opens no incident for archives of another client', async () => {
    const home = await world.repository('home');
    await world.archive(home);
    await world.look();
    world.clock.advance(25 * hour);
    const start = world.clock.now() - hour;
    const made = { id: 'f'.repeat(64), name: 'elsewhere', start, end: start, comment: '' };
    world.tool.archives = [{ ...made, hostname: 'h', username: 'u' }];
    await world.look(3);
    expect([await causes(), world.tool.listings, await world.happened('protection_changed')]).toEqual([
      [],
      1,
      [],
    ]);
  });

  it('is found even if its archives were never listed', async () => {
    const home = await world.repository('home');
    await world.set(home.id, { inventory_at: null, created_at: world.clock.now() - 30 * hour });
    await world.look();
    expect([await causes(), world.tool.listings]).toEqual([['late'], 1]);
  });

  it('is reported if its list cannot be read; the list is retried hourly', async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    await world.set(home.id, { inventory_at: 0 });
    let tries = 0;
    world.needs.driver.listArchives = () => {
      tries += 1;
      return Promise.reject(new Error('unreachable'));
    };
    for (let n = 0; n < 5; n++) {
      await world.look();
      world.clock.advance(10 * minute);
    }
    expect([await causes(), tries]).toEqual([['late'], 1]);
    world.clock.advance(10 * minute);
    await world.look();
    expect(tries).toBe(2);
  });

  it('waits for the backup that a start catches up, but not forever', async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    const pending = { ...job, kind: 'backup' as const, status: 'pending' as const, repository_id: home.id };
    await world.storage.insert(jobs, { ...pending, requested_at: world.clock.now() });
    await world.look();
    expect(await causes()).toEqual([]);
    world.clock.advance(10 * minute);
    await world.look();
    expect(await causes()).toEqual(['late']);
  });

  it('reads only when an archive reaches its limit or an event was recorded', async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 24 * hour + 30_000);
    await world.look();
    const find = vi.spyOn(world.storage, 'find');
    world.clock.advance(30_000);
    await world.worker.look();
    expect(find.mock.calls.length).toBeLessThan(3);
    world.clock.advance(1);
    await world.worker.look();
    expect(await causes()).toEqual(['late']);
    await world.archive(home);
    await world.happen('archives_changed', home.id);
    await world.worker.look();
    expect(await causes()).toEqual([]);
  });

  it('opens no incident in the first seconds after a start', async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    const worker = world.starting(10_000);
    await worker.look();
    expect(await causes()).toEqual([]);
    world.clock.advance(10_000);
    await worker.look();
    expect(await causes()).toEqual(['late']);
  });

  it('shows its messages, and the jobs since', async () => {
    const home = await world.repository('home');
    const { storage, clock } = world;
    await world.archive(home, clock.now() - 30 * hour);
    const backup = { ...job, kind: 'backup' as const, repository_id: home.id, requested_at: clock.now() };
    await storage.insert(jobs, { ...backup, status: 'failed' });
    await storage.insert(jobs, { ...backup, status: 'pending' });
    world.clock.advance(11 * minute);
    await world.look();
    await storage.insert(jobs, { ...backup, status: 'failed', error_message: 'The disk is full.' });
    await storage.insert(jobs, { ...backup, kind: 'prune', status: 'completed' });
    const details = await world.getIncident(1);
    expect(details.attempts.count).toBe(2);
    expect(details.attempts.last.map(({ job_id }) => job_id)).toEqual([3, 2]);
    expect(details.messages).toMatchObject([
      { setting_name: 'ops', event: 'backup_late', status: 'pending', delivered_at: null },
    ]);
    expect(details.reason).toMatchObject({ code: 'incident_late', params: { repository: 'home' } });
  });
});

describe('a snooze', () => {
  const admin = { userId: 1, username: 'alice', isAdmin: true, readOnly: false, tokenId: 1 };
  const snooze = (until: number, reason = 'in repair') =>
    world.snoozeIncident(admin, 1, { until: new Date(until).toISOString(), reason });
  beforeEach(async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    await world.look();
  });

  it('sends one more notification if it ends before the incident', async () => {
    const { clock, look } = world;
    expect(await snooze(clock.now() + hour)).toMatchObject({
      snooze_reason: 'in repair',
      snoozed_by: 'alice',
    });
    await look(2);
    expect(await world.told()).toHaveLength(1);
    clock.advance(hour);
    await look(3);
    expect(await world.told()).toEqual(['backup_late to 1', 'backup_late to 1']);
    expect((await world.happened('backup_late')).at(-1)).toMatchObject({ reminder: true });
    expect(await world.getIncident(1)).toMatchObject({
      open: true,
      snoozed_until: null,
      snooze_reason: null,
    });
  });

  it('does not keep back that it is over', async () => {
    await snooze(world.clock.now() + 1_000 * hour);
    await world.archive({ id: 1 });
    world.clock.advance(minute);
    await world.look();
    expect(await world.told()).toEqual(['backup_late to 1', 'backup_on_time_again to 1']);
  });

  it('can be ended, and needs an open incident and a time ahead', async () => {
    const { clock } = world;
    await snooze(clock.now() + hour);
    expect(await world.wakeIncident(1)).toMatchObject({ snoozed_until: null });
    clock.advance(2 * hour);
    await world.look();
    expect(await world.told()).toHaveLength(1);
    await expect(snooze(clock.now())).rejects.toMatchObject({ reason: { code: 'snooze_in_the_past' } });
    await expect(snooze(clock.now() + 400 * 24 * hour)).rejects.toMatchObject({ code: 'invalid' });
    await expect(world.wakeIncident(9)).rejects.toMatchObject({ code: 'not_found' });
    await world.archive({ id: 1 });
    clock.advance(minute);
    await world.look();
    await expect(snooze(clock.now() + hour)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('of several instances', () => {
  it('handles each due problem once', async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    const other = world.starting();
    await Promise.all([world.worker.look(), other.look(), world.worker.look(), other.look()]);
    expect(await world.told()).toEqual(['backup_late to 1']);
  });

  it('continues on another instance when one dies', async () => {
    const { storage, clock } = world;
    await world.look();
    await world.archive(await world.repository('home'), clock.now() - 30 * hour);
    const dead = { held_until: clock.now() + 30_000, fence: 99, due_at: 0 };
    await storage.update(duties, { name: 'incidents' }, dead);
    clock.advance(29_999);
    await world.worker.look();
    expect(await causes()).toEqual([]);
    clock.advance(1);
    await world.worker.look();
    expect(await causes()).toEqual(['late']);
  });

  it('sends one notification for the end of an incident', async () => {
    await world.archive(await world.repository('home'), world.clock.now() - 30 * hour);
    await world.look();
    const [row] = await world.open();
    const ending = { message: say`over: It is over.`, tell: true, repositoryIds: [1] };
    for (const _ of [1, 2]) if (row) await closeIncident(world.needs, row, ending);
    expect(await world.told()).toEqual(['backup_late to 1', 'backup_on_time_again to 1']);
    expect(await world.happened('incident_closed')).toHaveLength(1);
  });

  it('open nothing in a paused instance that another one opened and closed', async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    const { find } = world.storage;
    const paused = incidentWorld(world.storage);
    paused.clock.set(world.clock.now());
    let resume = () => {};
    const pause = new Promise<void>((resolve) => {
      resume = resolve;
    });
    // Reads its facts before the other opens, and acts after the other has closed.
    paused.needs.storage = {
      ...world.storage,
      find,
      async transaction(work) {
        await pause;
        return world.storage.transaction(work);
      },
    };
    const late = paused.starting();
    const going = late.look();
    await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(minute);
    await world.look(2);
    await world.archive(home);
    world.clock.advance(minute);
    await world.look(2);
    resume();
    await going;
    expect(await world.all()).toHaveLength(1);
    expect(await world.told()).toEqual(['backup_late to 1', 'backup_on_time_again to 1']);
  });
});

describe('other causes', () => {
  it('damage, until a full check has passed', async () => {
    const home = await world.repository('home');
    const { storage, clock } = world;
    await world.archive(home);
    const check = { jobId: 7, kind: 'check' as const, requestedAt: 0, startedAt: 0, originalSize: 0 };
    const found = withEnded(noFigures, {
      ...check,
      deduplicatedSize: 0,
      status: 'failed',
      endedAt: clock.now(),
      damaged: true,
    });
    await storage.insert(jobFigures, { repository_id: home.id, figures: found });
    await world.look(2);
    expect([await causes(), await world.told()]).toEqual([['damaged'], ['damaged to 1']]);
    await world.set(home.id, { last_check: clock.now() + 1 });
    clock.advance(2 * minute);
    await world.look(2);
    expect(await world.told()).toEqual(['damaged to 1', 'damage_over to 1']);
  });

  it('says how many archives stay damaged when the repository is sound again', async () => {
    const home = await world.repository('home');
    const { storage, clock } = world;
    for (const age of [1, 2, 3]) await world.archive(home, clock.now() - age * minute);
    await storage.update(archives, { start: { lt: clock.now() - minute } }, { damaged: true });
    await world.set(home.id, { archive_count: 3 });
    const check = { jobId: 7, kind: 'check' as const, requestedAt: 0, startedAt: 0, originalSize: 0 };
    const found = withEnded(noFigures, {
      ...check,
      deduplicatedSize: 0,
      status: 'failed',
      endedAt: clock.now(),
      damaged: true,
    });
    await storage.insert(jobFigures, { repository_id: home.id, figures: found });
    await world.look(2);
    await world.set(home.id, { last_check: clock.now() + 1 });
    clock.advance(2 * minute);
    await world.look(2);
    const over = (await storage.find(events)).find(({ kind }) => kind === 'damage_over');
    expect(JSON.stringify(over?.data)).toContain('2 of 3 archives are still damaged');
  });

  it('reports a repository without space at once, under its own cause', async () => {
    const home = await world.repository('home');
    const { clock } = world;
    await world.archive(home);
    const error = { open_error: 'The quota is used up.', open_error_at: clock.now() };
    await world.set(home.id, { ...error, open_error_kind: 'quota' });
    clock.advance(10 * minute);
    await world.look(2);
    expect(await causes()).toEqual(['storage_full']);
  });

  it('archives that are not signed, while the repository opens', async () => {
    const home = await world.repository('home');
    await world.archive(home);
    await world.set(home.id, { unsigned_archives: 2 });
    await world.look(2);
    expect([await causes(), (await world.open())[0]?.sentence]).toEqual([
      ['archives_unsigned'],
      expect.stringMatching(/^2 archives of home are not signed/),
    ]);
    const error = { open_error: 'Not signed.', open_error_kind: 'archive_unsigned' as const };
    await world.set(home.id, { ...error, open_error_at: 0 });
    await world.look(2);
    expect(await causes()).toEqual(['archives_unsigned', 'cannot_open']);
    await world.set(home.id, { open_error: null, open_error_kind: null, unsigned_archives: 0 });
    await world.look(2);
    expect(await causes()).toEqual([]);
  });

  it('reports a repository that cannot be opened after five minutes', async () => {
    const home = await world.repository('home');
    const { clock } = world;
    await world.archive(home);
    const error = { open_error: 'The passphrase\u0007 is wrong.', open_error_at: clock.now() };
    await world.set(home.id, { ...error, open_error_kind: 'passphrase_wrong' });
    clock.advance(5 * minute - 1);
    await world.look();
    expect(await causes()).toEqual([]);
    clock.advance(1);
    await world.look(2);
    expect([await causes(), await world.told()]).toEqual([['cannot_open'], ['incident to 1']]);
    const [incident] = await world.open();
    expect(incident?.sentence).toBe('home cannot be opened: The passphrase  is wrong.');
    expect(incident?.params).toMatchObject({
      reason_code: 'tool_passphrase_wrong',
      reason_values: '{"problem":"The passphrase  is wrong."}',
    });
    await world.set(home.id, { open_error: null, open_error_kind: null, open_error_at: null });
    clock.advance(minute);
    await world.look();
    expect(await world.told()).toEqual(['incident to 1', 'incident_over to 1']);
  });

  it('reports a changed host key to the channels of its repositories', async () => {
    const home = await world.repository('home');
    const { storage, clock } = world;
    await world.create({ monitor_all_repositories: false, repository_ids: [home.id] });
    const other = await world.repository('other');
    await world.create({ monitor_all_repositories: false, repository_ids: [other.id] });
    await storage.insert(sshConnections, {
      host: 'box',
      port: 22,
      username: 'me',
      status: 'host_key_changed',
      created_at: 0,
      updated_at: 0,
    });
    await world.set(home.id, { connection_id: 1 });
    await world.look();
    expect(await world.told()).toEqual(['incident to 1', 'incident to 2']);
    await storage.remove(sshConnections, { id: 1 });
    clock.advance(minute);
    await world.look();
    expect((await world.all())[0]).toMatchObject({ is_open: false, recovery_code: 'incident_over_removed' });
    expect(await world.told()).toHaveLength(2);
  });

  it('reports a failing notification channel to the other channels', async () => {
    const { storage, clock } = world;
    await world.create();
    const ended_at = clock.now();
    await storage.insert(deliveries, {
      message_id: 'm',
      setting_id: 1,
      event_id: 1,
      first_at: 0,
      status: 'parked',
      next_attempt_at: 0,
      queued_at: 0,
      created_at: 0,
      ended_at,
    });
    await world.look();
    expect([await causes(), await world.told()]).toEqual([
      ['delivery_parked'],
      [expect.any(String), 'incident to 2'],
    ]);
    await storage.update(notificationSettings, { id: 1 }, { last_used_at: ended_at + 1 });
    clock.advance(minute);
    await world.look();
    expect((await world.told()).at(-1)).toBe('incident_over to 2');
  });

  it('reports nearly full storage once for all its repositories', async () => {
    const { clock, disk } = world;
    disk.total = 2 ** 40;
    for (const name of ['a', 'b']) await world.archive(await world.repository(name, 1_000));
    const free = async (share: number) => {
      disk.free = disk.total * share;
      clock.advance(6 * minute);
      await world.look();
      return world.told();
    };
    expect(await free(0.051)).toEqual([]);
    expect(await free(0.049)).toEqual(['incident to 1']);
    for (const share of [0.051, 0.049, 0.079]) expect(await free(share)).toHaveLength(1);
    expect(await free(0.081)).toEqual(['incident to 1', 'incident_over to 1']);
  });

  it('reports a failing schedule until it runs, without a second notification', async () => {
    const { storage, clock } = world;
    const home = await world.repository('home');
    await world.archive(home);
    const plan = { cron_expression: '0 2 * * *', timezone: 'UTC', catch_up: 'one' as const };
    const times = { created_at: 0, updated_at: 0 };
    const schedule = await storage.insert(schedules, {
      ...plan,
      ...times,
      name: 's',
      last_error: 'It broke.',
    });
    await storage.insert(scheduleRepositories, {
      schedule_id: schedule.id,
      repository_id: home.id,
      position: 0,
    });
    const minuteLater = async () => {
      clock.advance(minute);
      await world.look();
      return causes();
    };
    expect(await minuteLater()).toEqual(['schedule_failing']);
    await storage.update(schedules, { id: schedule.id }, { last_error: null });
    const slot = { schedule_id: schedule.id, planned_at: 1, trigger: 'schedule' as const, job_ids: [] };
    await storage.insert(slots, { ...slot, outcome: 'running' });
    expect(await minuteLater()).toEqual(['schedule_failing']);
    await storage.update(slots, { schedule_id: schedule.id }, { outcome: 'completed' });
    expect(await minuteLater()).toEqual([]);
    expect(await world.told()).toEqual([]);
    await storage.update(schedules, { id: schedule.id }, { last_error: 'Again.' });
    expect(await minuteLater()).toEqual(['schedule_failing']);
    await storage.update(schedules, { id: schedule.id }, { enabled: false });
    expect(await minuteLater()).toEqual([]);
  });

  it('reports a nearly full disk of the data folder', async () => {
    world.own.free = 20;
    await world.look();
    const [found] = await world.open();
    expect(found).toMatchObject({ cause: 'storage_nearly_full', object_kind: 'service' });
    expect(found?.sentence).toContain('data folder of Holdfast');
    world.own.free = 900;
    world.clock.advance(6 * minute);
    await world.look();
    expect(await causes()).toEqual([]);
  });

  it('reports a plan whose next run is further away than its rule allows', async () => {
    const { storage, clock } = world;
    const home = await world.repository('home');
    await world.archive(home);
    const plan = { cron_expression: '0 2 * * *', timezone: 'UTC', enabled: true };
    const far = { next_run: clock.now() + 365 * 24 * hour };
    const { id } = await storage.insert(schedules, {
      ...plan,
      ...far,
      name: 's',
      catch_up: 'one',
      created_at: 0,
      updated_at: 0,
    });
    const check = { max_duration: 0, verify_data: false, notify_on_success: false, notify_on_failure: true };
    await storage.insert(checkSchedules, { ...plan, ...far, ...check, repository_id: home.id });
    const drill = { sample_files: 1, sample_bytes: 1, fixed_paths: [], repository_id: home.id };
    await storage.insert(drillSchedules, { ...plan, next_run: clock.now() + hour, ...drill });
    await world.look();
    expect(await causes()).toEqual(['planned_too_far', 'planned_too_far']);
    expect(await world.told()).toHaveLength(2);
    const soon = { next_run: clock.now() + 25 * hour };
    await storage.update(schedules, { id }, soon);
    await storage.update(checkSchedules, {}, soon);
    await storage.update(drillSchedules, {}, far);
    await world.look();
    expect(await causes()).toEqual(['planned_too_far']);
    await storage.update(drillSchedules, {}, soon);
    await world.look();
    expect(await causes()).toEqual([]);
  });

  it('attaches the earlier notification to an incident for paused pruning', async () => {
    const { storage, clock } = world;
    const home = await world.repository('home');
    await world.archive(home);
    const pause = { schedule_id: 1, reason: 'a source is missing', job_id: 1, since: clock.now() };
    await storage.insert(retentionPauses, { ...pause, repository_id: home.id });
    await world.happen('retention_paused', home.id, { reason: pause.reason });
    clock.advance(minute);
    await world.look(2);
    expect([await causes(), await world.told()]).toEqual([['retention_paused'], ['retention_paused to 1']]);
    expect((await world.getIncident(1)).messages).toMatchObject([{ event: 'retention_paused' }]);
    await storage.remove(retentionPauses, {});
    clock.advance(minute);
    await world.look();
    expect(await world.told()).toEqual(['retention_paused to 1', 'retention_resumed to 1']);
  });

  it('opens for a mass change and closes when it is accepted', async () => {
    const home = await world.repository('home');
    await world.archive(home);
    await world.set(home.id, { mass_change: massChange, mass_change_at: world.clock.now() });
    await world.look();
    expect(await world.open()).toMatchObject([
      {
        cause: 'mass_change',
        since: world.clock.now(),
        sentence:
          'home: of 2000 files in archive monday, 1500 changed and 9 were removed in tuesday. Nothing is pruned until you accept the changes.',
      },
    ]);
    await world.set(home.id, { mass_change: null, mass_change_at: null });
    world.clock.advance(minute);
    await world.look();
    expect([await causes(), await world.told()]).toEqual([[], ['incident to 1', 'incident_over to 1']]);
  });

  it('ends silently with its repository', async () => {
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    await world.look();
    await world.storage.remove(repositories, { id: home.id });
    world.clock.advance(minute);
    await world.look();
    expect([await causes(), await world.told()]).toEqual([[], ['backup_late to 1']]);
  });
});

it('filters incidents and returns them in pages', async () => {
  for (const name of ['a', 'b', 'c']) {
    await world.archive(await world.repository(name), world.clock.now() - 30 * hour);
  }
  await world.look();
  await world.archive({ id: 2 });
  world.clock.advance(minute);
  await world.look();
  const page = async (filter: object) => {
    const { incidents, next_before } = await world.listIncidents({ limit: 50, ...filter });
    return [incidents.map(({ id }) => id), next_before];
  };
  expect(await page({})).toEqual([[3, 2, 1], null]);
  expect(await page({ limit: 2 })).toEqual([[3, 2], 2]);
  expect(await page({ limit: 2, before: 2 })).toEqual([[1], null]);
  expect(await page({ open: true })).toEqual([[3, 1], null]);
  expect(await page({ open: false })).toEqual([[2], null]);
  expect(await page({ cause: 'damaged' })).toEqual([[], null]);
  expect(await page({ repository_id: 1 })).toEqual([[1], null]);
});

it('is never held up by a clock that was ahead', async () => {
  const ahead = incidentWorld(world.storage);
  ahead.clock.set(manualClock().now() + 1_000 * hour);
  await ahead.look();
  const held = { held_until: ahead.clock.now() + 30_000, due_at: ahead.clock.now() + minute };
  await world.storage.update(duties, { name: 'incidents' }, held);
  await world.archive(await world.repository('home'), world.clock.now() - 30 * hour);
  await world.worker.look();
  expect(await causes()).toEqual(['late']);
});
