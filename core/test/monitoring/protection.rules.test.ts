import { describe, expect, it } from 'vitest';
import { judgeProtection, type ProtectionFacts } from '../../src/insight/monitoring/protection.rules.js';

const hour = 3_600_000;
const now = Date.UTC(2026, 2, 10, 12);
const nightly = { name: 'nightly', gapMs: 24 * hour };
const facts = (values: Partial<ProtectionFacts>): ProtectionFacts => ({
  objective: null,
  observed: false,
  createdAt: 0,
  listedAt: now,
  newest: null,
  schedules: [],
  uncountedAt: null,
  futureAt: null,
  damage: null,
  check: null,
  backupFailedAt: null,
  ...values,
});
const judge = (values: Partial<ProtectionFacts>) => {
  const { reasons, ...judged } = judgeProtection(facts(values), now);
  return { ...judged, reasons: reasons.map(String), codes: reasons.map(({ code }) => code) };
};
const aged = (hours: number, tookHours = 0) => ({
  start: now - hours * hour,
  end: now - (hours - tookHours) * hour,
});

describe('the protection of a repository', () => {
  it('goes by the objective, to the millisecond', () => {
    expect(judge({ objective: 26, newest: aged(26) })).toMatchObject({ state: 'protected', until: now });
    const late = judge({ objective: 26, newest: { start: now - 26 * hour - 1, end: null } });
    expect(late).toMatchObject({ state: 'late', until: now - 1, promise: { schedule: null } });
    expect(late.reasons).toEqual(['The newest archive is 26 h old; the limit is 26 h.']);
    expect(late.codes).toEqual(['protection_age_and_objective']);
  });

  it('says of a late backup that its schedules are paused', () => {
    const pausedUntil = now + hour;
    const late = judge({ schedules: [nightly], newest: aged(27), pausedUntil });
    expect(late.state).toBe('late');
    expect(late.reasons[0]).toMatch(
      /\(schedule nightly\)\. Its schedules are paused until 2026-03-10T13:00:00.000Z\.$/,
    );
    expect(judge({ schedules: [nightly], newest: aged(3), pausedUntil }).reasons[0]).not.toContain('paused');
  });

  it('uses the schedule with the lowest age limit if none is set', () => {
    const schedules = [{ name: 'weekly', gapMs: 168 * hour }, nightly, { name: 'unread', gapMs: null }];
    const promised = judge({ newest: aged(26), schedules });
    expect(promised).toMatchObject({
      state: 'protected',
      promise: { ageMs: 26 * hour, schedule: 'nightly' },
    });
    expect(judge({ newest: aged(27), schedules }).state).toBe('late');
    expect(judge({ newest: aged(27), schedules, objective: 30 }).state).toBe('protected');
  });

  it('has no age limit if a schedule runs less than once a year', () => {
    const leap = { name: 'leap', gapMs: 4 * 366 * 24 * hour };
    const judged = judge({ newest: aged(3), schedules: [leap] });
    expect(judged).toMatchObject({
      state: 'unknown',
      promise: null,
      until: null,
      codes: ['protection_schedule_too_rare'],
    });
    expect(judge({ newest: aged(3), schedules: [leap, nightly] }).promise).toMatchObject({
      schedule: 'nightly',
    });
  });

  it('names the sources that the newest archive lacks', () => {
    const judged = judge({
      objective: 26,
      newest: aged(3),
      uncountedAt: now - hour,
      lacking: ['/srv/photos', '/mnt/usb'],
    });
    expect(judged.reasons[1]).toMatch(/does not count: \/srv\/photos, \/mnt\/usb are missing from it\./);
  });

  it('says that the last job made its archive when it failed afterwards', () => {
    const failed = { objective: 26, newest: aged(3), backupFailedAt: now - hour };
    expect(judge({ ...failed, archiveMade: true }).codes).toContain('protection_backup_failed_later');
    expect(judge({ ...failed, archiveMade: false }).codes).toContain('protection_backup_failed');
  });

  it('gives a run the time that the last one took', () => {
    expect(judge({ newest: aged(27, 1), schedules: [nightly] }).state).toBe('protected');
    expect(judge({ newest: aged(27.5, 1), schedules: [nightly] }).state).toBe('late');
  });

  it('is unknown without an age limit, with advice', () => {
    const [reason] = judge({ newest: aged(1) }).reasons;
    expect(reason).toMatch(/in no enabled schedule.*age limit/);
    expect(judge({ newest: aged(1), manual: ['by hand'] })).toMatchObject({
      state: 'unknown',
      reasons: ['There is no age limit: by hand only runs manually. Set an age limit.'],
    });
    expect(judge({ newest: aged(1), manual: ['x'], objective: 26 }).state).toBe('protected');
    expect(judge({ newest: aged(27), manual: ['x'], schedules: [nightly] }).state).toBe('late');
    expect(judge({ observed: true, schedules: [nightly] }).reasons[0]).toMatch(/only monitored/);
    const unread = judge({ schedules: [{ name: 'moon', gapMs: null }] });
    expect([unread.state, unread.reasons[0]]).toEqual(['unknown', expect.stringContaining('moon')]);
  });

  it('is unknown while less is backed up than before it was taken over', () => {
    const judged = judge({ newest: aged(1), schedules: [nightly], leftOut: ['databases'] });
    expect(judged).toMatchObject({ state: 'unknown', damaged: false });
    expect(judged.codes).toEqual(['protection_left_out', 'protection_age_and_schedule']);
    expect(judge({ newest: aged(1), schedules: [nightly], leftOut: [] }).state).toBe('protected');
  });

  it('is unknown while the archives are, or while the clocks disagree', () => {
    expect(judge({ objective: 26, newest: aged(1), listedAt: null }).state).toBe('unknown');
    expect(judge({ objective: 26, newest: aged(-0.1) }).state).toBe('protected');
    expect(judge({ objective: 26, futureAt: now + 2 * hour }).reasons[0]).toMatch(/in the future/);
  });

  it('uses archives of the past and ignores those of the future', () => {
    const forged = { objective: 26, futureAt: Date.UTC(2031, 0, 1) };
    const young = judge({ ...forged, newest: aged(1) });
    expect([young.state, young.reasons[1]]).toEqual([
      'protected',
      expect.stringMatching(/2031.*in the future/),
    ]);
    expect(judge({ ...forged, newest: aged(27) }).state).toBe('late');
  });

  it('gives a new repository until the first archive is due', () => {
    const fresh = judge({ objective: 26, createdAt: now - 26 * hour });
    expect([fresh.state, fresh.reasons[0]]).toEqual(['unknown', expect.stringMatching(/no archive yet/)]);
    const late = judge({ objective: 26, createdAt: now - 27 * hour });
    expect(late).toMatchObject({ state: 'late', reasons: [expect.stringMatching(/no archive;/)] });
  });

  it('is unknown while damaged, even with a young archive; late has priority', () => {
    const damage = { endedAt: now - 5 * hour, jobId: 12 };
    const check = { ...damage, success: false };
    const young = judge({ objective: 26, newest: aged(1), damage, check });
    expect(young).toMatchObject({ state: 'unknown', damaged: true });
    expect(young.reasons).toEqual([
      expect.stringMatching(/^Check job 12 found damage/),
      expect.stringMatching(/^The newest archive is 1 h old/),
    ]);
    const old = judge({ objective: 26, newest: aged(30), damage, check });
    expect(old).toMatchObject({ state: 'late', damaged: true });
    expect(old.reasons.at(-1)).toMatch(/found damage/);
  });

  it('names a later failed check and a backup without an archive', () => {
    const failed = { endedAt: now - 2 * hour, jobId: 13, success: false };
    const named = judge({ objective: 26, newest: aged(3), check: failed });
    expect(named).toMatchObject({ state: 'protected', damaged: false });
    expect(named.reasons[1]).toMatch(/^Check job 13 failed/);
    expect(judge({ objective: 26, newest: aged(1), check: failed }).reasons).toHaveLength(1);
    expect(
      judge({ objective: 26, newest: aged(3), check: { ...failed, success: true } }).reasons,
    ).toHaveLength(1);
    const backupFailedAt = now - hour;
    expect(judge({ objective: 26, newest: aged(3), backupFailedAt }).reasons[1]).toMatch(
      /backup job created no/,
    );
  });
});
