import { SimpleAlarmClock } from './alarm-simple.js';

/** Hands a delay of any length to one timer, which then rings at once. */
export class OverflowAlarmClock extends SimpleAlarmClock {
  protected override longestDelay = Number.POSITIVE_INFINITY;

  protected override earliest(at: number): number {
    return at - Date.now() > 2 ** 31 - 1 ? 0 : at;
  }
}
