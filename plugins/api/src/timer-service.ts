/**
 * Says "look at this key now", at least once for each `set`, on one instance. A timer carries nothing
 * but its key; the row that the key names is the truth, so a lost or a doubled timer is harmless.
 */
export interface TimerService {
  /**
   * Sets the timer of a key to an instant (milliseconds since the epoch; the past means now). One key has one timer:
   * setting it again moves it. Resolves when the timer is set; rejects when its store can't be reached.
   */
  set(key: string, at: number): Promise<void>;
  /** Takes a timer back. A key without one is fine. */
  clear(key: string): Promise<void>;
  /** Sets the one handler. It must return soon; what it throws is logged by the service and not retried. */
  onDue(handler: (key: string) => void | Promise<void>): void;
  /** Fires no more; waits up to `ms` for running handlers. After it `set` rejects. May be called twice. */
  drain(ms: number): Promise<void>;
}
