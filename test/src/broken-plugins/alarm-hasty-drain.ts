import { SimpleAlarmClock } from './alarm-simple.js';

/** Drain neither waits nor ends anything. */
export class HastyDrainAlarmClock extends SimpleAlarmClock {
  override async drain(): Promise<void> {}
}
