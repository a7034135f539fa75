import type { OperationOptions, ToolProgress } from '@holdfast/plugin-api/driver';
import { CheckFindings } from './check-findings.js';
import { escapedLines, type LineSplitter, plainLines } from './line-splitter.js';
import { parseLogLine, type ToolMessage } from './log-message.js';
import { ProgressThrottle } from './progress-throttle.js';
import { Unread } from './unread.js';

const maxMessages = 50;
const maxLength = 4000;

export interface LoggedMessage {
  text: string;
  msgid: string | null;
}

export type LogOptions = Pick<OperationOptions, 'onLog' | 'onProgress'> & {
  /** Called at once, however often the tool reports. */
  onEachProgress?(progress: ToolProgress): void;
};

/** The log of a run, bounded: the first messages of each level and the last lines of plain text. */
export class ToolLog {
  readonly errors: LoggedMessage[] = [];
  readonly warnings: LoggedMessage[] = [];
  readonly infos: LoggedMessage[] = [];
  readonly plain: string[] = [];
  readonly findings = new CheckFindings();
  readonly unread = new Unread();
  omittedWarnings = 0;
  /** The exception that crashed the tool, if it ended with a traceback in plain text. */
  crash: string | null = null;
  private isInTraceback = false;
  private readonly lines: LineSplitter;
  private readonly progress: ProgressThrottle;

  constructor(
    private readonly options: LogOptions,
    isEscaped = false,
    private readonly withUsualPaths = (text: string): string => text,
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
    if (message.kind === 'progress') {
      this.options.onEachProgress?.(message.progress);
      this.progress.take(message.progress);
    } else if (message.kind === 'plain') this.takePlain(this.withUsualPaths(message.text));
    else if (message.kind === 'log') this.takeLog({ ...message, text: this.withUsualPaths(message.text) });
  }

  private takePlain(text: string): void {
    this.plain.push(text.slice(0, maxLength));
    if (this.plain.length > maxMessages) this.plain.shift();
    if (isTraceback(text)) this.isInTraceback = true;
    else if (this.isInTraceback && /^\w/.test(text)) this.crash ??= text.slice(0, maxLength);
    this.options.onLog?.({ level: this.isInTraceback ? 'debug' : 'warning', text });
  }

  private takeLog(message: LogMessage): void {
    const { level, text } = message;
    this.findings.take(level, text);
    if (level !== 'warning' || this.unread.take(text)) this.keep(message);
    if (!this.options.onLog) return;
    const shown = isTraceback(text) ? 'debug' : level;
    for (const line of text.split('\n'))
      if (line.trim() !== '') this.options.onLog({ level: shown, text: line });
  }

  private keep({ level, text, msgid }: LogMessage): void {
    const messages = level === 'error' ? this.errors : level === 'warning' ? this.warnings : this.infos;
    if (messages.length < maxMessages) messages.push({ text: text.slice(0, maxLength), msgid });
    else if (level === 'warning') this.omittedWarnings += 1;
  }
}

type LogMessage = Extract<ToolMessage, { kind: 'log' }>;

/** Internals of the tool, which follow an error's own message as a second one. */
export const isTraceback = (text: string): boolean =>
  text.startsWith('Traceback (most recent call last)') || text.startsWith('Borg server: ');
