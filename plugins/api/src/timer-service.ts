/**
 * Fires when a key is due: at least once for each `set`, on one instance. A timer carries only its key. The row that
 * the key names is authoritative, so a lost or duplicate timer is harmless.
 */
export interface TimerService {
  /**
   * Sets the timer of a key to a time in milliseconds since the epoch; a past time means now. A key has one timer:
   * setting it again moves it. Resolves when the timer is set; rejects if its store is unreachable.
   */
  set(key: string, at: number): Promise<void>;
  /** Removes the timer of a key, if there is one. */
  clear(key: string): Promise<void>;
  /** Sets the single handler. It must return soon. The service logs what it throws and does not retry. */
  onDue(handler: (key: string) => void | Promise<void>): void;
  /** Stops firing and waits up to `ms` for running handlers. Afterwards `set` rejects. May be called twice. */
  drain(ms: number): Promise<void>;
}
