import { isDeepStrictEqual } from 'node:util';
import type { Log } from '@holdfast/plugin-api';
import type { JobProgress } from './job.rules.js';
import type { FencedRow } from './job-lease.js';

const speedWindow = 30_000;
const sampleSpacing = 200;
const mebibyte = 2 ** 20;

/** Merges the figures of a job and calculates percentage, speed and remaining time. */
export class ProgressMeter {
  #figures: JobProgress;
  #samples: { at: number; bytes: number }[];
  /** Set when the handler reports the percentage itself. */
  #ownPercent = false;

  /** `now` is monotonic, in milliseconds. */
  constructor(
    start: JobProgress,
    private readonly now: () => number,
  ) {
    this.#figures = start;
    this.#samples = [{ at: now(), bytes: start.originalSize }];
  }

  add(patch: Partial<JobProgress>): void {
    const reported = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    this.#figures = { ...this.#figures, ...reported };
    if (patch.percent !== undefined) this.#ownPercent = true;
    if (patch.originalSize !== undefined) this.#sample(patch.originalSize);
  }

  /** The figures of a running job: at most 99 percent. */
  current(): JobProgress {
    const { originalSize, expectedSize } = this.#figures;
    const speed = this.#samples.length > 1 ? this.#speed() : this.#figures.speed;
    const left = Math.max(0, expectedSize - originalSize);
    const known = expectedSize > 0 && speed > 0;
    return {
      ...this.#figures,
      percent: this.#ownPercent ? clamp(this.#figures.percent, 0, 99) : percentOf(originalSize, expectedSize),
      speed,
      secondsRemaining: known ? Math.ceil(left / (speed * mebibyte)) : this.#figures.secondsRemaining,
    };
  }

  /** The figures of an ended job. */
  final(patch: Partial<JobProgress>, complete: boolean): JobProgress {
    const last = this.current();
    return {
      ...last,
      ...patch,
      secondsRemaining: 0,
      percent: complete ? 100 : (patch.percent ?? last.percent),
    };
  }

  #sample(bytes: number): void {
    const at = this.now();
    const [before, last] = this.#samples.slice(-2);
    if (before && last && at - before.at < sampleSpacing) this.#samples.pop();
    this.#samples.push({ at, bytes });
  }

  /** MB/s over the window. The last sample before the window is kept as the starting point. */
  #speed(): number {
    const now = this.now();
    const inside = this.#samples.findIndex(({ at }) => at > now - speedWindow);
    const from = inside === -1 ? this.#samples.length - 1 : Math.max(0, inside - 1);
    this.#samples = this.#samples.slice(from);
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || now <= first.at) return this.#figures.speed;
    const bytes = Math.max(0, last.bytes - first.bytes);
    return round((bytes / mebibyte / (now - first.at)) * 1000, 100);
  }
}

/** At least 1 as soon as data flows, even if the fraction is tiny or unknown. */
function percentOf(original: number, expected: number): number {
  if (original <= 0) return 0;
  return expected > 0 ? clamp(round((100 * original) / expected, 10), 1, 99) : 1;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
const round = (value: number, steps: number) => Math.floor(value * steps) / steps;

/** Writes changed figures of a running job once per interval. */
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
