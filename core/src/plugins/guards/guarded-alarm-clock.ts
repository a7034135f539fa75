import type { AlarmClock } from '../../ports/alarm-clock.js';
import { reasonOf } from '../../kernel/reason-of.js';
import { withinTime } from '../../kernel/within-time.js';
import type { Guarded } from './guarded.js';

export const alarmTimes = { answer: 10_000, drainExtra: 2_000 };

/** A lost alarm costs a second; one that hangs or throws in the caller's turn would cost more. */
export function guardedAlarmClock(clock: AlarmClock, { name, log }: Guarded, times = alarmTimes): AlarmClock {
  const bounded = (what: string, ms: number, work: () => Promise<void>) =>
    withinTime(ms, work, () => new Error(`${name} did not answer ${what} within ${ms / 1000} s.`)).catch(
      (error: unknown) => {
        throw error instanceof Error ? error : new Error(`${name} failed: ${reasonOf(error)}.`);
      },
    );
  return {
    ring: (key, at) => bounded('ring', times.answer, () => clock.ring(key, at)),
    silence: (key) => bounded('silence', times.answer, () => clock.silence(key)),
    drain: (ms) => bounded('drain', ms + times.drainExtra, () => clock.drain(ms)),
    onRing(handler) {
      const failed = (error: unknown) =>
        log.error('the alarm clock takes no handler: jobs begin some seconds later', {
          reason: reasonOf(error),
        });
      const ringing = async (key: unknown) => {
        if (typeof key !== 'string') {
          log.warn('an alarm without a key is not looked at', { key: typeof key });
          return;
        }
        try {
          await handler(key);
        } catch (error) {
          log.error('an alarm could not be dealt with', { key, error });
        }
      };
      try {
        // Not every handler that is set is set at once.
        Promise.resolve(clock.onRing(ringing) as unknown).catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  };
}
