import { block, invalidTar } from './tar-header.js';

/** Reads a byte stream in exact sizes, whatever pieces it comes in. */
export class TarBlocks {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Exactly `size` bytes, or null at the very end of the stream. */
  async take(size: number): Promise<Buffer | null> {
    if (this.#rest.length >= size) return this.#cut(size);
    const parts: Buffer[] = [];
    for await (const part of this.pass(size)) parts.push(part);
    return size > 0 && parts.length === 0 ? null : Buffer.concat(parts);
  }

  /** Yields exactly `size` bytes in pieces, or none at the very end. Throws DriverError if the stream is cut off. */
  async *pass(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) {
        if (left === size) return;
        throw invalidTar('it is cut off');
      }
      const part = this.#cut(left);
      left -= part.length;
      yield part;
    }
  }

  /** Everything that is left. */
  async *rest(): AsyncGenerator<Buffer> {
    while (this.#rest.length > 0 || (await this.#more())) yield this.#cut(this.#rest.length);
  }

  #cut(size: number): Buffer {
    const part = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (!done) this.#rest = value;
    return !done;
  }

  /** Tells the source that nobody reads the rest. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

const bestSize = 64 * 1024;

/** The same bytes in fewer pieces: most files in a tar stream are small. */
export async function* gathered(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    if (size < bestSize) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}

export const padded = (size: number): number => Math.ceil(size / block) * block;
