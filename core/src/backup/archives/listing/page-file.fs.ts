import { type FileHandle, open } from 'node:fs/promises';

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

  /** Lines added since the last `clear`, each with its line end; valid until the next change. */
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

const bufferedBytes = 2 << 20;
/** Comes in addition between two looks at how much there is. */
const spareBytes = 1 << 19;

/**
 * Sorts lines into pages through one file: lines arrive in any order and are written in large blocks, and
 * each page remembers the offsets of its pieces.
 */
export class PageFile {
  readonly #pieces: [position: number, length: number][][];
  readonly #buffered: LineBuffer;
  /** Of each buffered line. */
  #pages: number[] = [];
  #ends: number[] = [];
  #sorted: Buffer;
  #end = 0;

  private constructor(
    private readonly file: FileHandle,
    pages: number,
    former?: PageFile,
  ) {
    this.#pieces = Array.from({ length: pages }, () => []);
    this.#buffered = former ? former.#buffered : new LineBuffer(bufferedBytes + spareBytes);
    this.#sorted = former ? former.#sorted : Buffer.allocUnsafeSlow(bufferedBytes + spareBytes);
    this.#end = former ? former.#end : 0;
  }

  static async create(path: string, pages: number): Promise<PageFile> {
    return new PageFile(await open(path, 'wx+', 0o600), pages);
  }

  /** Other pages, empty ones, in the same file. To this one, which must be flushed, nothing may be added any more. */
  regrouped(pages: number): PageFile {
    return new PageFile(this.file, pages, this);
  }

  /** All lines of a page of the same file, which are not read for it. */
  take(page: number, from: PageFile, number: number): void {
    this.#pieces[page]?.push(...(from.#pieces[number] ?? []));
  }

  /** The line must not hold a newline. True when it is time to `flush`, during which nothing may be added. */
  add(page: number, line: string): boolean {
    this.#buffered.add(line);
    this.#pages.push(page);
    this.#ends.push(this.#buffered.length);
    return this.#buffered.length >= bufferedBytes;
  }

  async flush(): Promise<void> {
    const { content } = this.#buffered;
    if (this.#sorted.length < content.length) this.#sorted = Buffer.allocUnsafeSlow(content.length);
    const next = this.#place();
    let from = 0;
    for (const [index, page] of this.#pages.entries()) {
      const end = this.#ends[index] ?? from;
      const at = next.get(page) ?? 0;
      content.copy(this.#sorted, at, from, end);
      next.set(page, at + end - from);
      from = end;
    }
    await this.#write(this.#sorted.subarray(0, content.length));
    this.#buffered.clear();
    this.#pages = [];
    this.#ends = [];
  }

  /** In the order in which they were added. */
  async lines(page: number): Promise<string[]> {
    const lines: string[] = [];
    for await (const block of this.blocks(page)) for (const line of block) lines.push(line);
    return lines;
  }

  /** The same piece by piece. */
  async *blocks(page: number): AsyncGenerator<string[]> {
    for (const [position, length] of this.#pieces[page] ?? []) {
      const { buffer } = await this.file.read(Buffer.allocUnsafe(length), 0, length, position);
      yield buffer.toString('utf8', 0, length - 1).split('\n');
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** Assigns the buffered lines of each page a range in the next block and returns the offsets. */
  #place(): Map<number, number> {
    const lengths = new Map<number, number>();
    let from = 0;
    for (const [index, page] of this.#pages.entries()) {
      const end = this.#ends[index] ?? from;
      lengths.set(page, (lengths.get(page) ?? 0) + end - from);
      from = end;
    }
    const begins = new Map<number, number>();
    let begin = 0;
    for (const [page, length] of lengths) {
      this.#pieces[page]?.push([this.#end + begin, length]);
      begins.set(page, begin);
      begin += length;
    }
    return begins;
  }

  async #write(block: Buffer): Promise<void> {
    for (let done = 0; done < block.length; ) {
      const { bytesWritten } = await this.file.write(block, done, block.length - done, this.#end);
      done += bytesWritten;
      this.#end += bytesWritten;
    }
  }
}
