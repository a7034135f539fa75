import { SimpleTimerService } from './timer-simple.js';

/** Drain neither waits nor ends anything. */
export class HastyDrainTimerService extends SimpleTimerService {
  override async drain(): Promise<void> {}
}
