const bytes = 8 << 20;
const bits = bytes * 8;
const probes = 4;

/**
 * Tells whether a name was seen before in its directory, in memory that doesn't grow (a Bloom filter): no is
 * certain; yes is wrong for two names in a million at a million entries, and more often the more there are.
 */
export class SeenNames {
  readonly #words = new Uint32Array(bytes / 4);

  /** Whether it may have been there; from now on it is. */
  add(directory: number, name: string): boolean {
    let first = Math.imul(directory + 1, 0x9e3779b1);
    let second = 0x811c9dc5;
    for (let index = 0; index < name.length; index++) {
      const unit = name.charCodeAt(index);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x85ebca6b);
    }
    second = mixed(second ^ first) | 1;
    let bit = mixed(first);
    let known = true;
    for (let probe = 0; probe < probes; probe++, bit = (bit + second) | 0) {
      known = this.#set((bit >>> 0) % bits) && known;
    }
    return known;
  }

  #set(bit: number): boolean {
    const word = this.#words[bit >>> 5] ?? 0;
    const mask = 1 << (bit & 31);
    this.#words[bit >>> 5] = word | mask;
    return (word & mask) !== 0;
  }
}

function mixed(state: number): number {
  const half = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  return half ^ (half >>> 15);
}
