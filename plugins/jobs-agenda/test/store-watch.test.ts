import type { Log } from '@holdfast/plugin-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreWatch } from '../src/store-watch.js';

let lines: string[];
let watch: StoreWatch;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  const log: Log = {
    debug: () => undefined,
    info: (message) => void lines.push(`info: ${message}`),
    warn: (message) => void lines.push(`warn: ${message}`),
    error: (message) => void lines.push(`error: ${message}`),
    child: () => log,
  };
  watch = new StoreWatch('The store', log);
});
afterEach(() => void vi.useRealTimers());

const fails = () =>
  expect(watch.ask(() => Promise.reject(new Error('10.0.0.7 refused')))).rejects.toThrow('refused');

test('reports nothing for a store that answers', async () => {
  expect(await watch.ask(async () => 'answer')).toBe('answer');
  expect(watch.problem).toBeNull();
  expect(lines).toEqual([]);
});

test('reports a failure once and the recovery once', async () => {
  for (let round = 0; round < 3; round += 1) await fails();
  expect(watch.problem).toBe("The store can't be reached; timers wait until it is back.");
  expect(lines).toEqual(["warn: The store can't be reached; timers wait until it is back"]);
  await watch.ask(async () => undefined);
  await watch.ask(async () => undefined);
  expect(watch.problem).toBeNull();
  expect(lines.slice(1)).toEqual(['info: The store responds again']);
});

test('reports a question without an answer after a while', async () => {
  let answer: () => void = () => undefined;
  const asking = watch.ask(
    () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
  );
  vi.advanceTimersByTime(2_250);
  expect(watch.problem).toBeNull();
  vi.advanceTimersByTime(1);
  expect(watch.problem).toBe('The store does not respond; timers wait until it is back.');
  answer();
  await asking;
  expect(watch.problem).toBeNull();
});
