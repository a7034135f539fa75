import type { ArchiveEntry } from '@holdfast/plugin-api/driver';

/** A file that may be picked. */
export interface Candidate {
  entry: ArchiveEntry;
  /** Canonical. */
  path: string;
  /** Position in the archive. */
  index: number;
  /** When it last passed; 0: not known. */
  passedAt: number;
}

export interface SampleLimits {
  files: number;
  bytes: number;
}

/** Keeps the first items of an order with bounded memory. */
class First<T> {
  #items: T[] = [];
  #sorted = false;

  constructor(
    private readonly limit: number,
    private readonly order: (a: T, b: T) => number,
  ) {}

  add(item: T): void {
    const last = this.#items[this.limit - 1];
    if (this.#sorted && last !== undefined && this.order(item, last) >= 0) return;
    this.#items.push(item);
    this.#sorted = false;
    if (this.#items.length >= 2 * this.limit) this.#trim();
  }

  get items(): readonly T[] {
    this.#trim();
    return this.#items;
  }

  #trim(): void {
    this.#items.sort(this.order);
    this.#items.length = Math.min(this.#items.length, this.limit);
    this.#sorted = this.#items.length === this.limit;
  }
}

/** Files that went longest without a test first, then the oldest files. */
const byNeed = (a: Candidate, b: Candidate) => a.passedAt - b.passedAt || a.entry.mtime - b.entry.mtime;
const bySize = (a: Candidate, b: Candidate) => b.entry.size - a.entry.size;

/**
 * Picks a sample while reading the entries of an archive: half are files that went longest without a test, a
 * quarter the largest within the limits, a quarter random. Memory depends only on the limits.
 */
export class Sampler {
  readonly #needy: First<Candidate>;
  readonly #large: First<Candidate>;
  readonly #random: Candidate[] = [];
  #seen = 0;

  constructor(
    private readonly limits: SampleLimits,
    private readonly random: () => number = Math.random,
  ) {
    this.#needy = new First(limits.files, byNeed);
    this.#large = new First(limits.files, bySize);
  }

  add(candidate: Candidate): void {
    if (candidate.entry.size > this.limits.bytes) return;
    this.#seen += 1;
    this.#needy.add(candidate);
    if (candidate.entry.size > 0) this.#large.add(candidate);
    if (this.#random.length < this.limits.files) this.#random.push(candidate);
    else {
      const place = Math.floor(this.random() * this.#seen);
      if (place < this.#random.length) this.#random[place] = candidate;
    }
  }

  /** The sample, in the order of the archive. The largest files take at most half of the bytes. */
  pick(): Candidate[] {
    const { files, bytes } = this.limits;
    const picked = new Map<number, Candidate>();
    let left = bytes;
    let leftForLarge = bytes / 2;
    const queues = [this.#needy.items, this.#shuffled(), this.#needy.items, this.#large.items].map((items) =>
      items[Symbol.iterator](),
    );
    const large = queues[3];
    // Both turns by need share one queue.
    queues[2] = queues[0] as (typeof queues)[number];
    const open = new Set(queues);
    while (picked.size < files && open.size > 0) {
      for (const queue of queues) {
        if (picked.size >= files || !open.has(queue)) continue;
        const fits = ({ index, entry: { size } }: Candidate) =>
          !picked.has(index) && size <= left && (queue !== large || size <= leftForLarge);
        const next = firstOf(queue, fits);
        if (!next) {
          open.delete(queue);
          continue;
        }
        picked.set(next.index, next);
        left -= next.entry.size;
        if (queue === large) leftForLarge -= next.entry.size;
      }
    }
    return [...picked.values()].sort((a, b) => a.index - b.index);
  }

  #shuffled(): Candidate[] {
    const all = [...this.#random];
    for (let last = all.length - 1; last > 0; last--) {
      const other = Math.floor(this.random() * (last + 1));
      [all[last], all[other]] = [all[other] as Candidate, all[last] as Candidate];
    }
    return all;
  }
}

function firstOf<T>(queue: Iterator<T>, fits: (item: T) => boolean): T | null {
  for (let next = queue.next(); !next.done; next = queue.next()) if (fits(next.value)) return next.value;
  return null;
}
