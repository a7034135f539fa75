import { SimpleTimerService } from './timer-simple.js';

/** Does not take a timer back. */
export class DeafTimerService extends SimpleTimerService {
  override async clear(): Promise<void> {}
}
