import { SimpleAlarmClock } from './alarm-simple.js';

/** Does not take an alarm back. */
export class DeafAlarmClock extends SimpleAlarmClock {
  override async silence(): Promise<void> {}
}
