import type { Bandwidth } from '@holdfast/contracts';
import { isBetween } from '../../foundation/kernel/index.js';

/** Bytes per second at this instant: of the first hours that contain it, otherwise the default. Null: unlimited. */
export function rateAt({ bytes_per_second, hours, timezone }: Bandwidth, at: number): number | null {
  const found = hours.find(({ from, to }) => isBetween(at, [from, to], timezone));
  return found ? found.bytes_per_second : bytes_per_second;
}

/** Seconds of the limit that may be saved up, or be owed: ssh must not be silent for longer. */
const [mostSaved, mostOwed] = [1, 10];

/** Counts transferred bytes against a rate that may change. */
export class Meter {
  #credit = 0;
  #at = 0;

  /** Returns for how many milliseconds no more bytes should follow. */
  spend(bytes: number, rate: number, now: number): number {
    const earned = (rate * Math.max(0, now - this.#at)) / 1000;
    this.#at = now;
    const credit = Math.min(this.#credit + earned, rate * mostSaved) - bytes;
    this.#credit = Math.max(credit, -rate * mostOwed);
    return Math.max(0, (-this.#credit * 1000) / rate);
  }
}
