import { beforeEach, describe, expect, it } from 'vitest';
import { hookJournals } from '../../src/backup/hooks/tables.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { events } from '../../src/foundation/events/tables.js';
import { isBetween, Message } from '../../src/foundation/kernel/index.js';
import { caller, makeWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = makeWorld();
  await world.addRepository('home');
  await world.addRepository('photos');
  world.runner.start();
  await world.runner.look();
});

const reasons = async () => (await world.slots()).map(({ outcome, reason_code }) => [outcome, reason_code]);
const at = (time: string) => world.lookAt(`2026-03-01T${time}Z`);
const newest = async () => {
  const job = (await world.jobs()).at(-1);
  if (!job) throw new Error('no job');
  return job;
};
const failWith = async (code: string, more = {}) =>
  world.endJob(await newest(), { status: 'failed', error: new Message(code, {}, `It is ${code}.`), ...more });
const reported = async () =>
  (await world.storage.find(events)).filter(({ kind }) => kind === 'backup_failure');

describe('a run with conditions', () => {
  const disk = () => world.around.disks.set('/backups/home', 'tool-home');

  it('starts at once when they hold', async () => {
    disk();
    await world.create({ when: { place_present: true } });
    await at('13:00:00');
    expect(await reasons()).toEqual([['running', null]]);
    expect(await world.jobs()).toHaveLength(1);
  });

  it('waits for its disk and starts once, in the same slot', async () => {
    await world.create({ when: { place_present: true } });
    await at('13:00:00');
    expect(await reasons()).toEqual([['waiting', 'run_waits_for_disk']]);
    expect(await world.jobs()).toEqual([]);
    disk();
    await Promise.all([at('13:20:00'), world.runner.look()]);
    await at('13:20:10');
    expect(await world.slots()).toMatchObject([
      {
        outcome: 'running',
        reason: null,
        job_ids: [1],
        late_ms: 20 * 60_000,
        started_at: world.clock.now() - 10_000,
      },
    ]);
    expect(await world.jobs()).toHaveLength(1);
  });

  it('does not start on a disk that disappears at once', async () => {
    await world.create({ when: { place_present: true } });
    await at('13:00:00');
    let looks = 0;
    world.around.disks.get = () => (++looks === 1 ? 'tool-home' : undefined);
    await at('13:10:00');
    expect(await reasons()).toEqual([['waiting', 'run_waits_for_disk']]);
    expect(looks).toBe(2);
  });

  it('waits when the path has another repository', async () => {
    world.around.disks.set('/backups/home', 'tool-other');
    await world.create({ when: { place_present: true } });
    await at('13:00:00');
    expect(await reasons()).toEqual([['waiting', 'run_waits_for_other_disk']]);
  });

  it('waits when the mounted disk is another one with the same UUID', async () => {
    world.around.mounts.add('UUID=1-2');
    world.around.disks.set('/backups/home', 'tool-other');
    await world.create({ when: { mounted: ['UUID=1-2'], place_present: true } });
    await at('13:00:00');
    expect(await reasons()).toEqual([['waiting', 'run_waits_for_other_disk']]);
    disk();
    await at('13:00:20');
    expect(await reasons()).toEqual([['running', null]]);
  });

  it('starts once when the clock jumps back', async () => {
    await world.create({ when: { place_present: true } });
    await at('13:00:00');
    await at('10:00:00');
    expect(await reasons()).toEqual([['waiting', 'run_waits_for_disk']]);
    disk();
    await at('10:00:20');
    await world.endJob(await newest());
    await at('13:00:00');
    expect(await reasons()).toEqual([['completed', null]]);
    expect(await world.jobs()).toHaveLength(1);
  });

  it('is skipped, and one later run waits, when the clock jumps ahead', async () => {
    await world.create({ when: { place_present: true } });
    await at('13:00:00');
    await world.lookAt('2026-03-04T13:30:00Z');
    const found = await reasons();
    expect(found[0]).toEqual(['skipped', 'run_waited']);
    expect(found.filter(([outcome]) => outcome === 'waiting')).toHaveLength(1);
    expect(await reported()).toEqual([]);
  });

  it('is skipped without a report when the next run is due', async () => {
    await world.create({ when: { mounted: ['/mnt/photos'] } });
    await at('13:00:00');
    await at('14:00:00');
    expect(await reasons()).toEqual([
      ['skipped', 'run_waited'],
      ['waiting', 'run_waits_for_mount'],
    ]);
    expect(await reported()).toEqual([]);
    world.around.mounts.add('/mnt/photos');
    await at('14:30:00');
    await at('14:31:00');
    expect((await reasons()).map(([outcome]) => outcome)).toEqual(['skipped', 'running']);
  });

  it('waits for hosts, and for the first one on the way', async () => {
    const host = { username: 'u', port: 22, status: 'connected' as const, created_at: 0, updated_at: 0 };
    await world.storage.insert(sshConnections, { ...host, host: 'jump' });
    await world.storage.insert(sshConnections, { ...host, host: 'inner', jump_connection_id: 1 });
    await world.storage.update(repositories, { id: 1 }, { connection_id: 2 });
    await world.create({ when: { host_reachable: true, place_present: true } });
    await at('13:00:00');
    expect(await reasons()).toEqual([['waiting', 'run_waits_for_host']]);
    world.around.hosts.add('jump');
    await at('13:00:20');
    expect(await reasons()).toEqual([['running', null]]);
  });

  it('waits until the hours without runs are over', async () => {
    await world.create({ when: { not_between: ['12:00', '13:30'] }, timezone: 'UTC' });
    await at('13:00:00');
    expect(await reasons()).toEqual([['waiting', 'run_waits_for_hours']]);
    await at('13:29:59');
    expect((await reasons())[0]?.[0]).toBe('waiting');
    await at('13:30:00');
    expect((await reasons())[0]?.[0]).toBe('running');
  });

  it('ends when its schedule is paused or switched off', async () => {
    await world.create({ when: { mounted: ['/mnt'] } });
    await world.create({ name: 'b', when: { mounted: ['/mnt'] } });
    await at('13:00:00');
    await world.toggleSchedule(1);
    await world.update(2, { pause_until: '2026-03-02T00:00:00Z' });
    await at('13:00:10');
    expect((await reasons()).map(([outcome]) => outcome).sort()).toEqual(['disabled', 'skipped']);
  });

  it('ignores them when started manually', async () => {
    await world.create({ when: { mounted: ['/mnt'] } });
    await world.runScheduleNow(caller, 1);
    expect(await reasons()).toEqual([['running', null]]);
  });

  it('shows that it waits', async () => {
    await world.create({ when: { mounted: ['/mnt'] } });
    await at('13:00:00');
    const { runs } = await world.listScheduleRuns(1, { limit: 9, offset: 0 });
    expect(runs).toMatchObject([
      { outcome: 'running', waiting: true, reason: '/mnt is not mounted.', job_ids: [] },
    ]);
  });
});

describe('a failed backup', () => {
  const retry = { times: 2, after_minutes: 5 };

  it('is tried again in the same run, and reported once after the last attempt', async () => {
    await world.create({ retry });
    await at('13:00:00');
    await failWith('tool_connection');
    expect(await reasons()).toEqual([['waiting', 'run_waits_to_retry']]);
    await at('13:04:59');
    expect(await world.jobs()).toHaveLength(1);
    await at('13:05:00');
    expect(await world.jobs()).toMatchObject([
      { id: 1 },
      { id: 2, slot_id: 1, parameters: { rerunOf: 1, attempt: 1 } },
    ]);
    await failWith('repository_locked');
    await at('13:10:00');
    expect(await reported()).toEqual([]);
    await failWith('host_timeout');
    expect(await reasons()).toEqual([['failed', 'run_backup_failed']]);
    expect(await reported()).toMatchObject([{ job_id: 3 }]);
    expect(await world.slots()).toMatchObject([{ job_ids: [1, 2, 3] }]);
  });

  it('completes the run without a report when an attempt succeeds', async () => {
    await world.create({ retry });
    await at('13:00:00');
    await failWith('tool_no_space');
    await at('13:05:00');
    await world.endJob(await newest());
    expect(await reasons()).toEqual([['completed', null]]);
    expect(await reported()).toEqual([]);
    expect(await world.row(1)).toMatchObject({ last_error: null });
  });

  it('repeats only the failed repository', async () => {
    await world.create({ retry, repository_ids: [1, 2] });
    await at('13:00:00');
    const [first, second] = await world.jobs();
    if (!first || !second) throw new Error('no jobs');
    await world.endJob(first);
    await failWith('tool_connection');
    await at('13:05:00');
    expect((await world.jobs()).map(({ repository_id }) => repository_id)).toEqual([1, 2, 2]);
    await world.endJob(await newest());
    expect(await reasons()).toEqual([['completed', null]]);
  });

  it.each(['tool_passphrase_wrong', 'tool_other_repository', 'tool_path_missing', 'tool_repository_missing'])(
    'is not tried again after %s',
    async (code) => {
      await world.create({ retry });
      await at('13:00:00');
      await failWith(code);
      expect(await reasons()).toEqual([['failed', 'run_backup_failed']]);
      expect(await reported()).toHaveLength(1);
    },
  );

  it('waits for its disk again when that was disconnected', async () => {
    world.around.disks.set('/backups/home', 'tool-home');
    await world.create({ retry, when: { place_present: true } });
    await at('13:00:00');
    world.around.disks.clear();
    await failWith('tool_repository_missing');
    await at('13:05:00');
    expect(await reasons()).toEqual([['waiting', 'run_waits_for_disk']]);
    await at('14:00:00');
    expect(await reasons()).toEqual([
      ['failed', 'run_backup_failed'],
      ['waiting', 'run_waits_for_disk'],
    ]);
    expect(await reported()).toHaveLength(1);
  });

  it('is left to the next run when that is due first', async () => {
    await world.create({ retry: { times: 3, after_minutes: 60 } });
    await at('13:00:00');
    await failWith('tool_connection');
    expect(await reasons()).toEqual([['failed', 'run_backup_failed']]);
    expect(await reported()).toHaveLength(1);
  });

  it('is left to the next run when the clock jumps back', async () => {
    await world.create({ retry });
    await at('13:00:00');
    await failWith('tool_connection');
    await at('09:00:00');
    await at('13:04:00');
    expect(await world.jobs()).toHaveLength(1);
    await at('14:00:00');
    const ended = (await reasons()).map(([outcome]) => outcome);
    expect([ended, (await world.jobs()).length, (await reported()).length]).toEqual([
      ['failed', 'running'],
      2,
      1,
    ]);
  });

  it('is reported when its schedule is switched off before the next attempt', async () => {
    await world.create({ retry });
    await at('13:00:00');
    await failWith('tool_connection');
    await world.toggleSchedule(1);
    await at('13:01:00');
    expect(await reasons()).toEqual([['failed', 'run_backup_failed']]);
    expect(await reported()).toHaveLength(1);
  });

  it('is not tried again before the scripts of its run have ended', async () => {
    await world.create({ retry });
    await at('13:00:00');
    await failWith('tool_connection');
    const journal = {
      uid: 'u',
      scope: 'slot' as const,
      slot_id: 1,
      job_ids: [1],
      plan: '',
      failures: [],
      created_at: 0,
    };
    await world.storage.insert(hookJournals, { ...journal, stage: 'after' });
    await at('13:05:00');
    expect(await world.jobs()).toHaveLength(1);
    await world.storage.update(hookJournals, { slot_id: 1 }, { stage: 'closed' });
    await at('13:05:10');
    expect(await world.jobs()).toHaveLength(2);
    expect(await world.storage.find(hookJournals)).toEqual([]);
  });
});

describe('hours without runs', () => {
  it.each([
    ['2026-03-01T07:59:59Z', ['08:00', '18:00'], 'UTC', false],
    ['2026-03-01T08:00:00Z', ['08:00', '18:00'], 'UTC', true],
    ['2026-03-01T18:00:00Z', ['08:00', '18:00'], 'UTC', false],
    ['2026-03-01T23:00:00Z', ['22:00', '06:00'], 'UTC', true],
    ['2026-03-01T05:59:00Z', ['22:00', '06:00'], 'UTC', true],
    ['2026-03-01T06:00:00Z', ['22:00', '06:00'], 'UTC', false],
    // The clocks of Berlin go from 2:00 to 3:00, and in autumn from 3:00 back to 2:00.
    ['2026-03-29T01:00:00Z', ['02:00', '03:00'], 'Europe/Berlin', false],
    ['2026-10-25T00:30:00Z', ['02:00', '03:00'], 'Europe/Berlin', true],
    ['2026-10-25T01:30:00Z', ['02:00', '03:00'], 'Europe/Berlin', true],
    ['2026-10-25T02:00:00Z', ['02:00', '03:00'], 'Europe/Berlin', false],
  ])('are found at %s in %s of %s: %s', (time, window, zone, expected) => {
    expect(isBetween(Date.parse(time), window, zone)).toBe(expected);
  });
});
