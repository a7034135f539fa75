import { type FileHandle, open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { LineBuffer } from './line-buffer.js';

const blockBytes = 1 << 18;

/** Lines written once, then read from the start in order; never more than a block of them in memory. */
export class LineFile {
  readonly #buffered = new LineBuffer(2 * blockBytes);

  private constructor(private readonly file: FileHandle) {}

  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, 'wx+', 0o600));
  }

  /** The line must not hold a newline. True when it is time to `flush`, during which nothing may be added. */
  add(line: string): boolean {
    this.#buffered.add(line);
    return this.#buffered.length >= blockBytes;
  }

  async flush(): Promise<void> {
    if (this.#buffered.length === 0) return;
    await this.file.appendFile(this.#buffered.content);
    this.#buffered.clear();
  }

  /** Blocks of lines, in the order in which they were added. */
  async *blocks(): AsyncGenerator<string[]> {
    await this.flush();
    const decoder = new StringDecoder('utf8');
    const buffer = Buffer.allocUnsafe(blockBytes);
    let rest = '';
    for (let position = 0; ; ) {
      const { bytesRead } = await this.file.read(buffer, 0, blockBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
