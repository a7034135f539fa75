import { describe, expect, it } from 'vitest';
import {
  csvOf,
  type Run,
  tally,
  unitOf,
  weeksUntil,
  worstOf,
} from '../src/screens/schedules/ledger.rules.js';

const run = (planned_at: string, given: Partial<Run> = {}): Run => ({
  planned_at,
  trigger: 'schedule',
  started_at: planned_at,
  completed_at: planned_at,
  late_seconds: 0,
  outcome: 'completed',
  waiting: false,
  reason: null,
  reason_code: null,
  reason_params: {},
  job_ids: [7],
  count: 1,
  ...given,
});

describe('the ledger', () => {
  it('counts runs instead of entries and omits manual ones', () => {
    const runs = [
      run('2026-11-03T02:00:00.000Z'),
      run('2026-11-02T02:00:00.000Z', { outcome: 'missed', count: 5, job_ids: [] }),
      run('2026-11-01T12:00:00.000Z', { trigger: 'run_now' }),
      run('2026-11-01T02:00:00.000Z', { outcome: 'failed' }),
    ];
    expect(tally(runs)).toEqual({ planned: 7, ran: 2, failed: 1, notRun: [['missed', 5]] });
  });

  it('shows the worst of a cell', () => {
    expect(worstOf([run('a'), run('b', { outcome: 'missed' }), run('c', { outcome: 'skipped' })])).toBe(
      'missed',
    );
  });

  it('uses hours for more than two runs a day', () => {
    const hours = Array.from({ length: 3 }, (_, hour) => run(new Date(2026, 10, 3, hour).toISOString()));
    expect(unitOf(hours)).toBe('hour');
    expect(unitOf(hours.slice(1))).toBe('day');
  });

  it('has whole weeks from Monday on, with today in the last one', () => {
    const weeks = weeksUntil(new Date(2026, 10, 24), 5);
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7]);
    expect(weeks.flat().every((day, index) => day.getDay() === (index + 1) % 7)).toBe(true);
    expect(weeks[4]?.some((day) => day.getDate() === 24)).toBe(true);
  });

  it('exports lines that no spreadsheet takes for a formula', () => {
    const text = csvOf([run('2026-11-01T02:00:00.000Z', { reason: '=cmd "x", y', job_ids: [1, 2] })]);
    expect(text.split('\r\n')[1]).toBe(
      `2026-11-01T02:00:00.000Z,schedule,2026-11-01T02:00:00.000Z,2026-11-01T02:00:00.000Z,0,completed,"'=cmd ""x"", y",1 2,1`,
    );
  });
});
