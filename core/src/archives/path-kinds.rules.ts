import { randomBytes } from 'node:crypto';

type Visit = (bits: number, whole: boolean) => number;

/**
 * What was noted of paths, as bits, in 20 to 40 bytes for each: there may be millions. Paths are known by 64 bits of a
 * hash with a secret start, so that nobody can write two that are taken for one.
 */
export class PathKinds {
  readonly #start = new Uint32Array(new Uint8Array(randomBytes(8)).buffer);
  #first = new Uint32Array(1024);
  #second = new Uint32Array(1024);
  #bits = new Uint8Array(1024);
  #count = 0;

  get(path: string): number {
    let found = 0;
    this.visit(path, (bits, whole) => {
      if (whole) found = bits;
      return 0;
    });
    return found;
  }

  /** Gives each directory above the path, then the path itself; what the visitor returns is noted in addition. */
  visit(path: string, at: Visit): void {
    let [first = 0, second = 0] = this.#start;
    for (let index = 0; index <= path.length; index++) {
      const whole = index === path.length;
      const unit = whole ? 47 : path.charCodeAt(index);
      if (unit === 47) this.#note(mixed(first, second), mixed(second, ~first), whole, at);
      first = Math.imul(first ^ unit, 0x01000193) ^ (first >>> 13);
      second = Math.imul(second ^ unit, 0x85ebca6b) ^ (second >>> 15);
    }
  }

  #note(first: number, second: number, whole: boolean, at: Visit): void {
    const slot = this.#slotOf(first, second);
    const known = this.#bits[slot] ?? 0;
    const bits = known | at(known, whole);
    if (bits === known) return;
    this.#first[slot] = first;
    this.#second[slot] = second;
    this.#bits[slot] = bits;
    if (known === 0 && ++this.#count > this.#bits.length / 2) this.#grow();
  }

  #slotOf(first: number, second: number): number {
    const mask = this.#bits.length - 1;
    let slot = first & mask;
    while (this.#bits[slot] !== 0 && !(this.#first[slot] === first && this.#second[slot] === second))
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [first, second, bits] = [this.#first, this.#second, this.#bits];
    this.#first = new Uint32Array(first.length * 2);
    this.#second = new Uint32Array(first.length * 2);
    this.#bits = new Uint8Array(first.length * 2);
    for (let old = 0; old < bits.length; old++) {
      if (bits[old] === 0) continue;
      const slot = this.#slotOf(first[old] ?? 0, second[old] ?? 0);
      this.#first[slot] = first[old] ?? 0;
      this.#second[slot] = second[old] ?? 0;
      this.#bits[slot] = bits[old] ?? 0;
    }
  }
}

function mixed(state: number, other: number): number {
  let mix = state ^ Math.imul(other, 0x9e3779b1);
  mix = Math.imul(mix ^ (mix >>> 16), 0x7feb352d);
  mix = Math.imul(mix ^ (mix >>> 15), 0x846ca68b);
  return (mix ^ (mix >>> 16)) >>> 0;
}
