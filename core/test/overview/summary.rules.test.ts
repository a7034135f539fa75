import type { Overview } from '@holdfast/contracts';
import { expect, test } from 'vitest';
import { summaryOf } from '../../src/insight/overview/summary.rules.js';

const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`;
const overview = (more: object = {}) =>
  ({
    success: true,
    as_of: at(12),
    headline: { state: 'late', code: 'overview_late', params: {}, text: 'Late: 1 of 3 repositories.' },
    counts: { total: 3, protected: 2, late: 1, unknown: 0, damaged: 0, running: 1, pending: 4, incidents: 2 },
    figures: { stored_bytes: [1, 2, 3] },
    oldest_newest_archive: { repository_id: 1, name: 'home', at: at(1) },
    next_run: { schedule_id: 1, name: 'Nightly', at: at(13) },
    attention: [{ text: 'The newest archive is 30 h old.' }, { text: 'Another.' }],
    attention_total: 2,
    repositories: [at(3), null, at(5)].map((last_verified_restore) => ({ last_verified_restore })),
    ...more,
  }) as unknown as Overview;

test('sums up the overview in flat fields', () => {
  expect(summaryOf(overview())).toEqual({
    success: true,
    state: 'late',
    text: 'Late: 1 of 3 repositories.',
    problem: 'The newest archive is 30 h old.',
    attention: 2,
    repositories: 3,
    protected: 2,
    late: 1,
    unknown: 0,
    damaged: 0,
    running: 1,
    incidents: 2,
    oldest_newest_archive: at(1),
    last_verified_restore: at(5),
    next_run: at(13),
    stored_bytes: 3,
  });
});

test('is the same at another time with the same state', () => {
  expect(summaryOf(overview({ as_of: at(13) }))).toEqual(summaryOf(overview()));
});

test('has nulls when nothing is known', () => {
  const nothing = { attention: [], attention_total: 0, oldest_newest_archive: null, next_run: null };
  const summary = summaryOf(overview({ ...nothing, repositories: [], figures: { stored_bytes: null } }));
  const { problem, oldest_newest_archive, last_verified_restore, next_run, stored_bytes } = summary;
  expect([problem, oldest_newest_archive, last_verified_restore, next_run, stored_bytes]).toEqual(
    Array(5).fill(null),
  );
});

test('keeps within a kilobyte when names are long', () => {
  const text = '\u{1f4be}'.repeat(5_000);
  const counts = Object.fromEntries(Object.keys(overview().counts).map((key) => [key, 1_000_000]));
  const figures = { stored_bytes: [Number.MAX_SAFE_INTEGER] };
  const headline = { state: 'protected', text: 'x'.repeat(200) };
  const summary = summaryOf(overview({ attention: [{ text }], counts, figures, headline }));
  expect(summary.problem).toMatch(/^\u{1f4be}+…$/u);
  expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThanOrEqual(1024);
});
