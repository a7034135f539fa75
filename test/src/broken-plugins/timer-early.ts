import { SimpleTimerService } from './timer-simple.js';

/** Fires up to 500 ms before the time. */
export class EarlyTimerService extends SimpleTimerService {
  protected override delayUntil(at: number): number {
    return super.delayUntil(at - 500);
  }

  protected override earliest(at: number): number {
    return at - 500;
  }
}
