import { SimpleTimerService } from './timer-simple.js';

/** Hands a delay of any length to one timer, which then fires at once. */
export class OverflowTimerService extends SimpleTimerService {
  protected override longestDelay = Number.POSITIVE_INFINITY;

  protected override earliest(at: number): number {
    return at - Date.now() > 2 ** 31 - 1 ? 0 : at;
  }
}
