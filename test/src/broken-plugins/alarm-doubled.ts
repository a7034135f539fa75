import { SimpleAlarmClock } from './alarm-simple.js';

/** Ringing a key again adds an alarm instead of moving it. */
export class DoubledAlarmClock extends SimpleAlarmClock {
  override async ring(key: string, at: number): Promise<void> {
    if (this.drained) throw new Error('drained');
    this.arm(key, at);
  }
}
