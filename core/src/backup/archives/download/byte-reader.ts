/** Reads a stream in exact sizes, whatever pieces it comes in. */
export class ByteReader {
  /** Bytes read so far. */
  position = 0;
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Throws when there are fewer. */
  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.pass(size)) parts.push(part);
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  /** The same, in pieces. */
  async *pass(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Error('The stream is cut off.');
      const part = this.#cut(left);
      left -= part.length;
      yield part;
    }
  }

  /** All that is left. */
  async *rest(): AsyncGenerator<Buffer> {
    while (this.#rest.length > 0 || (await this.#more())) yield this.#cut(this.#rest.length);
  }

  #cut(most: number): Buffer {
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    this.position += part.length;
    return part;
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#pieces.next();
      if (done) return false;
      this.#rest = value;
      if (this.#rest.length > 0) return true;
    }
  }
}
