import { isDeepStrictEqual } from 'node:util';
import type { JobProgress } from './job.rules.js';
import type { Log } from '../ports/services.js';
import type { FencedRow } from './fenced-row.js';
import type { ProgressMeter } from './progress-meter.js';

/** Writes a running job's figures when they changed, once an interval. */
export class ProgressWriter {
  #written: JobProgress;
  #timer: NodeJS.Timeout | undefined;
  #writing = false;

  constructor(
    private readonly meter: ProgressMeter,
    private readonly row: FencedRow,
    private readonly log: Log,
  ) {
    this.#written = meter.current();
  }

  start(every: number): void {
    this.#timer = setInterval(() => void this.#write(), every);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #write(): Promise<void> {
    const progress = this.meter.current();
    if (this.#writing || this.row.lost || isDeepStrictEqual(progress, this.#written)) return;
    this.#writing = true;
    try {
      if (await this.row.update({ progress })) this.#written = progress;
    } catch (error) {
      this.log.warn('the progress of a job could not be written', { error });
    } finally {
      this.#writing = false;
    }
  }
}
