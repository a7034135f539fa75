import type { OperationOptions } from '@holdfast/plugin-api/driver';
import { sentence } from '../errors.js';
import { plainLines } from '../parse/line-splitter.js';
import { Unread } from '../parse/unread.js';
import { viewProblem } from '../view.js';

const maxWarnings = 50;
/** tar begins its messages with the name by which it was started: `tar`, `/usr/bin/tar`, `sudo: /usr/bin/tar`. */
const fromTar = /^(?:[^:/]*: )?(?:[^:]*\/)?[^:/]*tar[^:/]*: /;
/** A wrapper may have any name. These lines are about a file, whoever writes them. */
const fromAnyone = /^[^:]*: /;
const aboutFile =
  /: (?:Warning: )?(?:Cannot (?:open|read|stat|savedir|readlink)|Read error at byte \d|File (?:removed|shrank)|file changed)/;
/** Messages about what the tool would skip silently, and summaries. */
const unimportant = /: socket ignored$|: Exiting with failure status|: Removing leading /;

/** tar's messages on the host: warnings about files that it could not read completely, bounded. */
export class TarMessages {
  readonly warnings: string[] = [];
  /** Set when tar gave up. */
  fatal: string | null = null;
  /** tar's exit code, once it has ended. */
  code: number | null = 0;
  readonly unread = new Unread();
  private omitted = 0;
  private lastLine = '';
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
    this.lastLine = line;
    if (unimportant.test(line)) return;
    this.onLog?.({ level: 'warning', text: line });
    if (line.startsWith(viewProblem)) this.fatal ??= line.slice(viewProblem.length);
    if (/not recoverable/.test(line)) this.fatal ??= this.warnings.at(-1) ?? sentence(line);
    else this.note(line);
  }

  private note(line: string): void {
    const program = fromTar.test(line) ? fromTar : fromAnyone;
    if (program === fromAnyone && !aboutFile.test(line)) return;
    const text = line.replace(program, '/');
    if (!this.unread.take(text)) return;
    if (this.warnings.length < maxWarnings) this.warnings.push(sentence(text));
    else this.omitted += 1;
  }

  all(): string[] {
    const more = this.omitted > 0 ? [`${this.omitted} more warnings are in the log.`] : [];
    return [...this.warnings, ...more, ...this.silentEnd()];
  }

  /** A wrapper may swallow tar's messages or reword them. */
  private silentEnd(): string[] {
    if (this.code === 0 || this.warnings.length > 0) return [];
    if (this.code === 1 && this.unread.changedFiles > 0) return [];
    const details =
      this.lastLine === '' ? 'It gave no reason.' : `Its last message: ${sentence(this.lastLine)}`;
    return [`tar on the host ended with code ${this.code}, so something may be missing. ${details}`];
  }
}
