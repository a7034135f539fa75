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
