import type { ToolProgress } from '@holdfast/plugin-api/driver';

const shortestPause = 200;

/** Passes progress on at most five times a second; `flush` passes on what was held back last. */
export class ProgressThrottle {
  private last = Number.NEGATIVE_INFINITY;
  private held: ToolProgress | null = null;
  constructor(private readonly emit: (progress: ToolProgress) => void) {}

  take(progress: ToolProgress): void {
    const now = performance.now();
    if (now - this.last < shortestPause) {
      this.held = { ...this.held, ...progress };
      return;
    }
    this.last = now;
    const merged = { ...this.held, ...progress };
    this.held = null;
    this.emit(merged);
  }

  flush(): void {
    if (this.held !== null) this.emit(this.held);
    this.held = null;
  }
}
