import { type FileHandle, open } from 'node:fs/promises';

const bufferedCharacters = 2 << 20;

/**
 * Lines sorted into pages through one file: what comes in any order is written in large blocks, and each page
 * remembers where its pieces lie.
 */
export class PageFile {
  readonly #pieces: [position: number, length: number][][];
  #buffered = new Map<number, string[]>();
  #size = 0;
  #end = 0;

  private constructor(
    private readonly file: FileHandle,
    pages: number,
  ) {
    this.#pieces = Array.from({ length: pages }, () => []);
  }

  static async create(path: string, pages: number): Promise<PageFile> {
    return new PageFile(await open(path, 'wx+', 0o600), pages);
  }

  /** The line must not hold a newline. True when it is time to `flush`. */
  add(page: number, line: string): boolean {
    const lines = this.#buffered.get(page);
    if (lines) lines.push(line);
    else this.#buffered.set(page, [line]);
    this.#size += line.length;
    return this.#size >= bufferedCharacters;
  }

  async flush(): Promise<void> {
    const blocks: Buffer[] = [];
    let position = this.#end;
    for (const [page, lines] of this.#buffered) {
      const block = Buffer.from(`${lines.join('\n')}\n`);
      this.#pieces[page]?.push([position, block.length]);
      position += block.length;
      blocks.push(block);
    }
    this.#buffered = new Map();
    this.#size = 0;
    await this.#write(Buffer.concat(blocks));
  }

  async lines(page: number): Promise<string[]> {
    const lines: string[] = [];
    for (const [position, length] of this.#pieces[page] ?? []) {
      const { buffer } = await this.file.read(Buffer.allocUnsafe(length), 0, length, position);
      for (const line of buffer.toString().split('\n')) if (line !== '') lines.push(line);
    }
    return lines;
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async #write(block: Buffer): Promise<void> {
    for (let done = 0; done < block.length; ) {
      const { bytesWritten } = await this.file.write(block, done, block.length - done, this.#end);
      done += bytesWritten;
      this.#end += bytesWritten;
    }
  }
}
