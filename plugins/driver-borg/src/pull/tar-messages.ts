import type { OperationOptions } from '@holdfast/core/plugin';
import { sentence } from '../errors.js';
import { plainLines } from '../parse/line-splitter.js';

const mostKept = 50;
/** Said for what the tool would pass over in silence, and as a summary. */
const unimportant = /: socket ignored$|^tar: Exiting with failure status|^tar: Removing leading /;

/** What tar says on the host: warnings about files that it could not read whole, bounded. */
export class TarMessages {
  readonly warnings: string[] = [];
  /** Said when tar gave up. */
  fatal: string | null = null;
  private omitted = 0;
  private readonly lines = plainLines();

  constructor(private readonly onLog: OperationOptions['onLog']) {}

  async read(stream: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const piece of stream)
      for (const line of this.lines.push(decoder.decode(piece, { stream: true }))) this.take(line);
    for (const line of this.lines.end()) this.take(line);
  }

  private take(line: string): void {
    if (line.trim() === '' || unimportant.test(line)) return;
    this.onLog?.({ level: 'warning', text: line });
    if (/not recoverable/.test(line)) this.fatal ??= this.warnings.at(-1) ?? sentence(line);
    else if (!line.startsWith('tar: ')) return;
    else if (this.warnings.length < mostKept) this.warnings.push(sentence(`/${line.slice('tar: '.length)}`));
    else this.omitted += 1;
  }

  all(): string[] {
    const more = this.omitted > 0 ? [`${this.omitted} more warnings are in the log.`] : [];
    return [...this.warnings, ...more];
  }
}
