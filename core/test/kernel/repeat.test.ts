import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from '../../src/foundation/kernel/repeat.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quiet = { everyMs: 1_000, onError: () => {} };

test('runs at once and then at intervals, until it is stopped', async () => {
  let runs = 0;
  const repeated = repeat(async () => void runs++, quiet);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(runs).toBe(3);
  await repeated.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  await repeated.now();
  expect(runs).toBe(3);
  expect(vi.getTimerCount()).toBe(0);
});

test('may wait before the first run', async () => {
  let runs = 0;
  const { stop } = repeat(async () => void runs++, { ...quiet, later: true });
  await vi.advanceTimersByTimeAsync(999);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(1);
  await stop();
});

test('never runs twice at a time: requests during a run cause one more', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const repeated = repeat(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    running -= 1;
    runs += 1;
  }, quiet);
  await vi.advanceTimersByTimeAsync(3_499);
  const stopping = repeated.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopping;
  expect([most, runs]).toEqual([1, 1]);
});

test('reports each error, marks the first in a row, and continues', async () => {
  const outcomes = [false, true, false, false];
  const errors: [string, boolean][] = [];
  const { stop } = repeat(
    async () => {
      if (!outcomes.shift()) throw new Error(`left: ${outcomes.length}`);
    },
    { everyMs: 1_000, onError: (error, again) => errors.push([(error as Error).message, again]) },
  );
  await vi.advanceTimersByTimeAsync(3_000);
  await stop();
  expect(errors).toEqual([
    ['left: 3', false],
    ['left: 1', false],
    ['left: 0', true],
  ]);
});
