import type { OperationOptions } from '@holdfast/plugin-api/driver';
import { sentence } from '../errors.js';
import { plainLines } from '../parse/line-splitter.js';

const mostKept = 50;
/** What tar puts before its messages is the name by which it was started: `tar`, `/usr/bin/tar`, `tar.real`. */
const fromTar = /^(?:[^\s:]*\/)?[^\s:/]*tar[^\s:/]*: /;
/** Said for what the tool would pass over in silence, and as a summary. */
const unimportant = /: socket ignored$|: Exiting with failure status|: Removing leading /;

/** What tar says on the host: warnings about files that it could not read whole, bounded. */
export class TarMessages {
  readonly warnings: string[] = [];
  /** Said when tar gave up. */
  fatal: string | null = null;
  /** How tar ended, once it did. */
  code: number | null = 0;
  private omitted = 0;
  private lastWords = '';
  private readonly lines = plainLines();

  constructor(private readonly onLog: OperationOptions['onLog']) {}

  async read(stream: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const piece of stream)
      for (const line of this.lines.push(decoder.decode(piece, { stream: true }))) this.take(line);
    for (const line of this.lines.end()) this.take(line);
  }

  private take(line: string): void {
    if (line.trim() === '') return;
    this.lastWords = line;
    if (unimportant.test(line)) return;
    this.onLog?.({ level: 'warning', text: line });
    if (/not recoverable/.test(line)) this.fatal ??= this.warnings.at(-1) ?? sentence(line);
    else if (!fromTar.test(line)) return;
    else if (this.warnings.length < mostKept) this.warnings.push(sentence(line.replace(fromTar, '/')));
    else this.omitted += 1;
  }

  all(): string[] {
    const more = this.omitted > 0 ? [`${this.omitted} more warnings are in the log.`] : [];
    return [...this.warnings, ...more, ...this.silentEnd()];
  }

  /** A wrapper may swallow what tar says, or say it otherwise. */
  private silentEnd(): string[] {
    if (this.code === 0 || this.warnings.length > 0) return [];
    const args =
      this.lastWords === '' ? 'It said nothing about it.' : `Its last words: ${sentence(this.lastWords)}`;
    return [`tar on the host ended with code ${this.code}, so that something may be missing. ${args}`];
  }
}
