/**
 * Says "look at this key now", at least once for each `ring`, on one of the instances. An alarm carries nothing
 * but its key; the row that the key names is the truth, so a lost or a doubled alarm is harmless.
 */
export interface AlarmClock {
  /**
   * Arms the key for an instant (milliseconds since the epoch; the past means now). One key has one alarm:
   * ringing it again moves it. Resolves when the alarm is set; rejects when the clock's store can't be reached.
   */
  ring(key: string, at: number): Promise<void>;
  /** Takes an alarm back. A key that isn't armed is fine. */
  silence(key: string): Promise<void>;
  /** Sets the one handler. It must return soon; what it throws is logged by the clock and not retried. */
  onRing(handler: (key: string) => void | Promise<void>): void;
  /** No more rings; waits up to `ms` for running handlers. After it `ring` rejects. May be called twice. */
  drain(ms: number): Promise<void>;
}
