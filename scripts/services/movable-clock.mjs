import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ownClock } from './faketime.mjs';

const patienceMs = 15_000;

/** The wall clock of services, set forward and back while they run; their intervals are not affected. */
export class MovableClock {
  #file;
  /** Seconds ahead of this machine's time. */
  ahead = 0;

  constructor(folder) {
    this.#file = join(folder, 'clock');
    this.#write(0);
  }

  get environment() {
    return ownClock({ FAKETIME_TIMESTAMP_FILE: this.#file, FAKETIME_CACHE_DURATION: '1' });
  }

  /** The time that the services show now. */
  now() {
    return Date.now() + this.ahead * 1_000;
  }

  /** Resolves when services show the new time. `date` returns the time of one of them. */
  async set(ahead, date) {
    this.#write(ahead);
    const deadline = Date.now() + patienceMs;
    while (Math.abs((await date()) - this.now()) >= 5_000) {
      if (Date.now() > deadline) throw new Error(`no service showed a clock ${ahead} s ahead`);
      await pause(100);
    }
  }

  #write(ahead) {
    this.ahead = ahead;
    writeFileSync(this.#file, `${ahead < 0 ? '' : '+'}${ahead}s\n`);
  }
}
