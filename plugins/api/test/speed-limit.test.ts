import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepWithin } from '../src/speed-limit.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function transfer() {
  const state = { bytes: 1000, rate: null as number | null, wait: 0, spent: 0, held: [] as boolean[] };
  const end = keepWithin(
    {
      rate: () => state.rate,
      spend: (bytes) => {
        state.spent += bytes;
        return state.wait;
      },
    },
    { bytes: () => state.bytes, hold: (isHeld) => void state.held.push(isHeld) },
  );
  return { state, end };
}

it('touches nothing without a limit, and counts only from its beginning', () => {
  const { state } = transfer();
  state.bytes = 5000;
  vi.advanceTimersByTime(2000);
  expect(state).toMatchObject({ spent: 0, held: [] });
  Object.assign(state, { rate: 1e6, bytes: 5500 });
  vi.advanceTimersByTime(2000);
  expect(state.spent).toBe(500);
});

it('holds until nothing is owed', () => {
  const { state } = transfer();
  Object.assign(state, { rate: 1e6, wait: 100 });
  vi.advanceTimersByTime(2000);
  expect(state.held).toEqual([true]);
  state.wait = 1;
  vi.advanceTimersByTime(100);
  expect(state.held).toEqual([true, true]);
  state.wait = 0;
  vi.advanceTimersByTime(1);
  expect(state.held).toEqual([true, true, false]);
});

it('continues when the limit is removed, and when it ends', () => {
  const { state, end } = transfer();
  Object.assign(state, { rate: 1e6, wait: 60_000 });
  vi.advanceTimersByTime(2000);
  state.rate = null;
  vi.advanceTimersByTime(500);
  expect(state.held).toEqual([true, false]);
  state.rate = 1e6;
  vi.advanceTimersByTime(2000);
  end();
  vi.advanceTimersByTime(60_000);
  expect(state.held).toEqual([true, false, true, false]);
});
