import type { OperationOptions } from '@holdfast/plugin-api/driver';
import { ArchiveDamage } from './archive-damage.js';
import { escapedLines, type LineSplitter, plainLines } from './line-splitter.js';
import { parseLogLine, type ToolMessage } from './log-message.js';
import { ProgressThrottle } from './progress-throttle.js';

const mostKept = 50;
const longestKept = 4000;

export interface LoggedMessage {
  text: string;
  msgid: string | null;
}

/** What a run said, bounded: the first messages of each level, and the last lines of plain text. */
export class ToolLog {
  readonly errors: LoggedMessage[] = [];
  readonly warnings: LoggedMessage[] = [];
  readonly infos: LoggedMessage[] = [];
  readonly plain: string[] = [];
  readonly archiveDamage = new ArchiveDamage();
  omittedWarnings = 0;
  /** What broke the tool, when it ended with a traceback in plain text. */
  crash: string | null = null;
  private isInTraceback = false;
  private readonly lines: LineSplitter;
  private readonly progress: ProgressThrottle;

  constructor(
    private readonly options: Pick<OperationOptions, 'onLog' | 'onProgress'>,
    isEscaped = false,
    private readonly plainly = (text: string): string => text,
  ) {
    this.lines = isEscaped ? escapedLines() : plainLines();
    this.progress = new ProgressThrottle((progress) => options.onProgress?.(progress));
  }

  push(piece: string): void {
    for (const line of this.lines.push(piece)) this.take(parseLogLine(line));
  }

  end(): void {
    for (const line of this.lines.end()) this.take(parseLogLine(line));
    this.progress.flush();
  }

  private take(message: ToolMessage): void {
    if (message.kind === 'progress') this.progress.take(message.progress);
    else if (message.kind === 'plain') this.takePlain(this.plainly(message.text));
    else if (message.kind === 'log') this.takeLog({ ...message, text: this.plainly(message.text) });
  }

  private takePlain(text: string): void {
    this.plain.push(text.slice(0, longestKept));
    if (this.plain.length > mostKept) this.plain.shift();
    if (isTraceback(text)) this.isInTraceback = true;
    else if (this.isInTraceback && /^\w/.test(text)) this.crash ??= text.slice(0, longestKept);
    this.options.onLog?.({ level: this.isInTraceback ? 'debug' : 'warning', text });
  }

  private takeLog({ level, text, msgid }: Extract<ToolMessage, { kind: 'log' }>): void {
    this.archiveDamage.take(level, text);
    const kept = level === 'error' ? this.errors : level === 'warning' ? this.warnings : this.infos;
    if (kept.length < mostKept) kept.push({ text: text.slice(0, longestKept), msgid });
    else if (level === 'warning') this.omittedWarnings += 1;
    if (!this.options.onLog) return;
    const shown = isTraceback(text) ? 'debug' : level;
    for (const line of text.split('\n'))
      if (line.trim() !== '') this.options.onLog({ level: shown, text: line });
  }
}

/** The inside of the tool, which follows an error's own message as a second one. */
export const isTraceback = (text: string): boolean =>
  text.startsWith('Traceback (most recent call last)') || text.startsWith('Borg server: ');
