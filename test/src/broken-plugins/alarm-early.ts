import { SimpleAlarmClock } from './alarm-simple.js';

/** Rings up to 500 ms before the time. */
export class EarlyAlarmClock extends SimpleAlarmClock {
  protected override delayUntil(at: number): number {
    return super.delayUntil(at - 500);
  }

  protected override earliest(at: number): number {
    return at - 500;
  }
}
