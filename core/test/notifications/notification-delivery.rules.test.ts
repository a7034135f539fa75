import { expect, test } from 'vitest';
import { paces } from '../../src/foundation/kernel/pace.js';
import { nextAttempt, pauseAfter } from '../../src/insight/notifications/notification-kind.rules.js';

const { firstPause } = paces.usual.outbox;
const seconds = (ms: number) => ms / 1000;

test('waits 5 s first and doubles up to 15 min', () => {
  const pauses = Array.from({ length: 11 }, (_, index) => seconds(pauseAfter(index + 1, firstPause)));
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
  expect(seconds(pauseAfter(100_000, firstPause))).toBe(900);
});

test('gives up a message 24 h after it was queued', () => {
  let [now, attempts] = [0, 1];
  for (let next = nextAttempt({ attempts, queuedAt: 0 }, now, firstPause); next !== null; ) {
    now = next;
    attempts += 1;
    next = nextAttempt({ attempts, queuedAt: 0 }, now, firstPause);
  }
  expect(seconds(now)).toBeGreaterThan(24 * 3600 - 900);
  expect(seconds(now)).toBeLessThanOrEqual(24 * 3600);
  expect(attempts).toBe(103);
});

test('respects a longer pause requested by the receiver, up to an hour', () => {
  const next = (pauseMs: number) => nextAttempt({ attempts: 1, queuedAt: 0, pauseMs }, 0, firstPause);
  expect([next(1_000), next(90_000), next(86_400_000)]).toEqual([5_000, 90_000, 3_600_000]);
});

test('tries a message once even if it waited longer than that', () => {
  expect(nextAttempt({ attempts: 1, queuedAt: 0 }, 25 * 3_600_000, firstPause)).toBeNull();
});
