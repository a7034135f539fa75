import { SimpleTimerService } from './timer-simple.js';

/** Setting a key again adds a timer instead of moving it. */
export class DoubledTimerService extends SimpleTimerService {
  override async set(key: string, at: number): Promise<void> {
    if (this.drained) throw new Error('drained');
    this.arm(key, at);
  }
}
