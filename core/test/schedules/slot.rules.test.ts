import { describe, expect, it } from 'vitest';
import { parseCron } from '../../src/backup/schedules/calendar/cron.rules.js';
import { planSlots, slotResult } from '../../src/backup/schedules/calendar/slot.rules.js';

const at = (text: string) => Date.parse(text);
const minutely = parseCron('* * * * *');
const hourly = parseCron('0 * * * *');
const noon = at('2026-03-01T12:00Z');

describe('planning a due schedule', () => {
  it('runs a slot up to a minute late with any catch-up setting', () => {
    for (const catchUp of ['one', 'none'] as const) {
      for (const late of [0, 500, 60_000]) {
        expect(planSlots(hourly, { planned: noon, now: noon + late, catchUp })).toEqual({
          run: noon,
          missed: [],
          paused: [],
          next: at('2026-03-01T13:00Z'),
        });
      }
    }
  });

  it('runs once for all that was missed, for the newest instant', () => {
    const now = at('2026-03-01T14:30Z');
    expect(planSlots(hourly, { planned: noon, now, catchUp: 'one' })).toMatchObject({
      run: at('2026-03-01T14:00Z'),
      missed: ['2026-03-01T12:00Z', '2026-03-01T13:00Z'].map((planned) => ({
        plannedAt: at(planned),
        count: 1,
        reason: { text: expect.stringContaining('merged into the run of 2026-03-01T14:00:00.000Z') },
      })),
      next: at('2026-03-01T15:00Z'),
    });
  });

  it('skips missed runs without catch-up', () => {
    const plan = planSlots(hourly, { planned: noon, now: at('2026-03-01T14:30Z'), catchUp: 'none' });
    expect(plan.run).toBeNull();
    expect(plan.missed.map(({ plannedAt }) => plannedAt)).toEqual(
      ['2026-03-01T12:00Z', '2026-03-01T13:00Z', '2026-03-01T14:00Z'].map(at),
    );
    expect(plan.missed[0]?.reason.text).toBe('Missed while Holdfast was down.');
  });

  it('runs a slot that is only late and records older ones as missed', () => {
    const plan = planSlots(hourly, { planned: noon, now: at('2026-03-01T14:00:20Z'), catchUp: 'none' });
    expect(plan.run).toBe(at('2026-03-01T14:00Z'));
    expect(plan.missed).toHaveLength(2);
  });

  it('sums up a long absence: a thousand rows and one', () => {
    const now = noon + 1_500 * 60_000;
    const { run, missed } = planSlots(minutely, { planned: noon, now, catchUp: 'one' });
    expect(run).toBe(now);
    expect(missed).toHaveLength(1_001);
    expect(missed[0]).toMatchObject({ plannedAt: noon, count: 500 });
    expect(missed[0]?.reason.text).toMatch(
      /^500 scheduled runs from 2026-03-01T12:00:00.000Z to 2026-03-01T20:19:00.000Z\./,
    );
    expect(missed.reduce((sum, { count }) => sum + count, 0)).toBe(1_500);
    expect(missed.at(-1)?.plannedAt).toBe(now - 60_000);
  });

  it('takes no long time for a year of minutes', () => {
    const now = noon + 365 * 86_400_000;
    const began = performance.now();
    const { missed } = planSlots(minutely, { planned: noon, now, catchUp: 'one' });
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(missed).toHaveLength(1_001);
    expect(missed[0]?.reason.text).toMatch(/^More than \d+ scheduled runs from 2026-03-01T12:00:00.000Z on/);
  });
});

describe('planning a schedule that is paused', () => {
  const plan = (planned: string, until: string, now: string, catchUp: 'one' | 'none' = 'one') => {
    const times = { planned: at(planned), now: at(now), pausedUntil: at(until), catchUp };
    const { run, missed, paused, next } = planSlots(hourly, times);
    const text = (instant: number | null) => instant && new Date(instant).toISOString().slice(11, 16);
    const of = (rows: { plannedAt: number }[]) => rows.map(({ plannedAt }) => text(plannedAt));
    return {
      run: text(run),
      missed: of(missed),
      paused: of(paused),
      next: text(next),
      reason: paused[0]?.reason,
    };
  };

  it('skips instants before the end and runs the one at the end', () => {
    expect(plan('2026-03-01T12:00Z', '2026-03-01T12:00:00.001Z', '2026-03-01T12:00:00.001Z')).toMatchObject({
      run: null,
      paused: ['12:00'],
      next: '13:00',
      reason: { code: 'run_paused', text: 'Paused until 2026-03-01T12:00:00.001Z.' },
    });
    expect(plan('2026-03-01T12:00Z', '2026-03-01T12:00Z', '2026-03-01T12:00Z')).toMatchObject({
      run: '12:00',
      paused: [],
    });
  });

  it('makes up only for runs after the end, as the schedule says', () => {
    const times = ['2026-03-01T12:00Z', '2026-03-01T14:00Z', '2026-03-01T16:30Z'] as const;
    const paused = ['12:00', '13:00'];
    expect(plan(...times)).toMatchObject({ paused, missed: ['14:00', '15:00'], run: '16:00', next: '17:00' });
    expect(plan(...times, 'none')).toMatchObject({ paused, missed: ['14:00', '15:00', '16:00'], run: null });
  });

  it('makes up for nothing when no run was planned after the end', () => {
    expect(plan('2026-03-01T12:00Z', '2026-03-01T14:30Z', '2026-03-01T14:45Z')).toMatchObject({
      paused: ['12:00', '13:00', '14:00'],
      missed: [],
      run: null,
      next: '15:00',
    });
  });

  it('counts each instant of a long pause once', () => {
    const now = noon + 5_000 * 60_000;
    const { paused, missed, run } = planSlots(minutely, {
      planned: noon,
      now,
      catchUp: 'one',
      pausedUntil: noon + 3_000 * 60_000,
    });
    const count = (rows: { count: number }[]) => rows.reduce((sum, row) => sum + row.count, 0);
    expect([count(paused), count(missed), run]).toEqual([3_000, 2_000, now]);
    expect(paused).toHaveLength(1_001);
  });
});

describe('the result of a run', () => {
  const job = (repository_name: string, status: 'completed' | 'failed' | 'cancelled', error?: string) => ({
    repository_name,
    status,
    error_message: error ?? null,
    error_code: error ? 'tool_failed' : null,
    error_params: error ? { problem: error } : null,
  });

  it('names the failed repositories', () => {
    const jobs = [
      job('home', 'completed'),
      job('photos', 'failed', 'No space left.'),
      job('web', 'cancelled'),
    ];
    expect(slotResult(jobs)).toMatchObject({
      outcome: 'failed',
      reason: {
        code: 'several_sentences',
        params: { codes: ['run_backup_failed', 'run_backup_cancelled'] },
        text: 'photos failed: No space left. web was cancelled.',
      },
    });
  });

  it('is skipped when hooks postponed all backups, and has warnings when they postponed some', () => {
    const postponed = (name: string) => ({
      ...job(name, 'cancelled', 'The disk is away.'),
      error_code: 'hook_postponed',
    });
    expect(slotResult([postponed('a'), postponed('b')])).toMatchObject({
      outcome: 'skipped',
      reason: {
        text: 'a was not backed up. The disk is away. b was not backed up. The disk is away.',
      },
    });
    const of = (...jobs: ReturnType<typeof job>[]) => slotResult([postponed('a'), ...jobs]).outcome;
    expect(of(job('b', 'completed'))).toBe('completed_with_warnings');
    expect(of(job('b', 'cancelled'))).toBe('cancelled');
    expect(of(job('b', 'failed', 'No.'))).toBe('failed');
  });

  it('is cancelled when all were, and has warnings when one has', () => {
    expect(slotResult([job('a', 'cancelled'), job('b', 'cancelled')]).outcome).toBe('cancelled');
    const warned = {
      ...job('a', 'completed', 'A file changed.'),
      status: 'completed_with_warnings' as const,
    };
    expect(slotResult([warned, job('b', 'completed')])).toMatchObject({
      outcome: 'completed_with_warnings',
      reason: {
        code: 'run_backup_warned',
        params: {
          repository: 'a',
          reason: 'A file changed.',
          reason_code: 'tool_failed',
          reason_values: '{"problem":"A file changed."}',
        },
        text: 'a has warnings: A file changed.',
      },
    });
    expect(slotResult([job('a', 'completed')])).toEqual({ outcome: 'completed', reason: null });
  });
});
