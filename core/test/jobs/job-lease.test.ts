import { expect, it, vi } from 'vitest';
import { FencedRow, JobLease } from '../../src/engine/jobs/job-lease.js';
import { paces } from '../../src/foundation/kernel/pace.js';
import { memoryStorage } from './engine-world.js';

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

it.each([
  ['within its lease', 19_000, false],
  ['after it stood still for longer', 21_000, true],
])('decides whether a run may start its tool %s', (_, heldFor, lost) => {
  const row = new FencedRow(memoryStorage(), { id: 1, fence: 1 }, () => {});
  const takenAt = performance.now() - heldFor;
  const parts = { row, clock: { now: Date.now }, log: log as never, timings: paces.usual.jobs, takenAt };
  new JobLease({ ...parts, onCancel: () => {} }).requireFresh();
  expect(row.lost).toBe(lost);
});
