const newline = 10;

/**
 * Lines as bytes, in one block of memory that is used again and again: kept as strings they would grow old, and the
 * heap with them.
 */
export class LineBuffer {
  #bytes: Buffer;
  #used = 0;

  /** It grows where `size` is not enough. */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** Bytes. */
  get length(): number {
    return this.#used;
  }

  /** What was added since the last `clear`, each line with its end; valid until the next change. */
  get content(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  add(line: string): void {
    // A UTF-16 unit makes three bytes at most.
    this.#reserve(line.length * 3 + 1);
    this.#used += this.#bytes.write(line, this.#used);
    this.#bytes[this.#used++] = newline;
  }

  clear(): void {
    this.#used = 0;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#used + bytes));
    this.content.copy(larger);
    this.#bytes = larger;
  }
}
