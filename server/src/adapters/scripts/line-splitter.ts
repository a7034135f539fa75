import { StringDecoder } from 'node:string_decoder';

/**
 * The rest of a longer line is discarded. Long enough that no secret is cut in the part of a line that is
 * shown.
 */
const longestLine = 16 * 1024;

/** Splits a byte stream into lines of bounded length. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #line = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(bytes: Buffer): void {
    this.#take(this.#decoder.write(bytes));
  }

  /** Also emits a last line without a line break. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#line !== '') this.#flush();
  }

  #take(text: string): void {
    let start = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
      this.#append(text.slice(start, at));
      this.#flush();
      start = at + 1;
    }
    this.#append(text.slice(start));
  }

  #append(text: string): void {
    const room = longestLine - this.#line.length;
    if (room > 0) this.#line += text.slice(0, room);
  }

  #flush(): void {
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    this.#onLine(line);
  }
}
