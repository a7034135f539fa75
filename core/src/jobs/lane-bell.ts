/** Wakes those of this process who wait for a lane; what other instances release they find by looking. */
export class LaneBell {
  readonly #waiting = new Map<number, Set<() => void>>();

  ring(repositoryId: number): void {
    for (const wake of this.#waiting.get(repositoryId) ?? []) wake();
  }

  /** Resolves at the next ring, or after `ms`. */
  wait(repositoryId: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(repositoryId) ?? new Set();
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(repositoryId);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      waiting.add(wake);
      this.#waiting.set(repositoryId, waiting);
    });
  }
}
