import { readFileSync } from 'node:fs';
import type { PlaceKind, RunningJobs } from './running-jobs.js';

/** How often within `stalledAfter` the tool is looked at. */
const looks = 6;

/**
 * The place of a job. A tool that waits for a file system that hangs may never end: while it does nothing for so long,
 * its place is free for others.
 */
export class HeldPlace {
  #pid: number | null = null;
  #used: string | null = null;
  #since = 0;
  #isFree = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly running: Pick<RunningJobs, 'vacate' | 'retake'>,
    private readonly kind: PlaceKind,
    { stalledAfter, onFree }: { stalledAfter: number; onFree(): void },
  ) {
    this.#timer = setInterval(() => this.#look(stalledAfter, onFree), stalledAfter / looks).unref();
  }

  watch(pid: number): void {
    this.#pid = pid;
    this.#retake();
  }

  /** The place belongs to the caller again. */
  end(): void {
    clearInterval(this.#timer);
    this.#retake();
  }

  #look(stalledAfter: number, onFree: () => void): void {
    const used = this.#pid === null ? null : processorTimeOf(this.#pid);
    if (used === null || used !== this.#used) {
      this.#used = used;
      this.#since = performance.now();
      this.#retake();
    } else if (!this.#isFree && performance.now() - this.#since >= stalledAfter) {
      this.#isFree = true;
      this.running.vacate(this.kind);
      onFree();
    }
  }

  #retake(): void {
    if (this.#isFree) this.running.retake(this.kind);
    this.#isFree = false;
  }
}

/** What a process used until now; null when there is none, or this can't be known. */
function processorTimeOf(pid: number): string | null {
  try {
    const [, fields = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    return fields.split(' ').slice(11, 13).join(' ');
  } catch {
    return null;
  }
}
