import { describe, expect, it } from 'vitest';
import { repositories } from '../../src/backup/repositories/tables.js';
import { samples } from '../../src/insight/history/tables.js';
import { fullAt, slopePerDay, totals } from '../../src/insight/overview/growth.rules.js';
import { getOverview } from '../../src/insight/overview/overview.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const day = 86_400_000;
const now = Date.UTC(2026, 2, 10, 12);
const points = (...values: number[]) => values.map((value, n) => ({ at: n * day, value }));

describe('the rate of a disk', () => {
  it('is known from a week of samples on', () => {
    expect(slopePerDay([])).toBeNull();
    expect(slopePerDay(points(70, 60, 50, 40, 30, 20, 10))).toBeNull();
    expect(slopePerDay(points(80, 70, 60, 50, 40, 30, 20, 10))).toBeCloseTo(-10);
  });

  it('tells when it is full, within twenty years', () => {
    expect(fullAt(100, -10, now)).toBe(now + 10 * day);
    expect([fullAt(100, 0, now), fullAt(100, null, now), fullAt(1e6, -0.001, now)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

it('adds up the last values of each day', () => {
  const ends = [day, 2 * day, 3 * day];
  const late = [{ at: 1.5 * day, value: 100 }];
  expect(totals([points(1, 2), late, []], ends)).toEqual([101, 102, 102]);
});

it('shows sums of all repositories, and the disk that is full first', async () => {
  const storage = memoryStorage();
  const clock = manualClock(now);
  const read = getOverview({ storage, clock });
  expect((await read({ timezone: 'UTC' })).figures).toMatchObject({ stored_bytes: null, first_full: null });
  for (const [name, perDay] of Object.entries({ slow: 1, fast: 10 })) {
    const { id } = await storage.insert(repositories, {
      uid: name,
      tool_id: name,
      name,
      path: `/${name}`,
      mode: 'full',
      encryption: 'none',
      compression: 'lz4',
      source_directories: [],
      exclude_patterns: [],
      created_at: 0,
      updated_at: 0,
      stored_size: 50,
      place_free: 100,
      place_total: 1_000,
      place_at: now,
    });
    for (let ago = 10; ago > 0; ago--)
      await storage.insert(samples, {
        repository_id: id,
        at: now - ago * day,
        job_id: 1,
        kind: 'backup',
        size: 50 - ago,
        free: 100 + ago * perDay,
        archive_count: 1,
        took: 1,
      });
  }
  clock.advance(1_000);
  const { figures } = await read({ timezone: 'UTC' });
  expect([figures.stored_bytes?.length, figures.stored_bytes?.slice(-2)]).toEqual([30, [98, 100]]);
  const at = new Date(now + 1_000 + 10 * day).toISOString();
  expect(figures.first_full).toMatchObject({ name: 'fast', host: null, free_bytes: 100, at });
  expect(figures.jobs_today).toEqual({ done: 0, failed: 0 });
});
