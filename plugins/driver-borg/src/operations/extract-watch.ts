import {
  DriverError,
  type OperationOptions,
  type ToolLogLine,
  type ToolProgress,
} from '@holdfast/plugin-api/driver';
import { statfs } from '@holdfast/plugin-api/files';
import type { LogOptions } from '../parse/tool-log.js';

/** borg continues after each file that does not fit on a full disk, and only warns. */
const refused = /\[Errno 28\]|No space left on device/;
const overQuota = /\[Errno 122\]|Disk quota exceeded/;
/** Some file systems report one that is too large for them in the same words. */
const attribute = /extended attribute/;

const nearlyNothing = 1024 * 1024;
/** The tool reports in steps of a thousandth. */
const tolerance = 1024 * 1024;

/** Ends an extraction that fills the disk, or writes more than the listing announced. */
export class ExtractWatch {
  problem: DriverError | null = null;
  readonly #stop = new AbortController();
  #path = '';
  /** Where the tool was when it warned of an attribute, which it does without a name. */
  readonly #warnedAt: string[] = [];
  #looking: Promise<void> | null = null;

  constructor(private readonly asked: { folder: string; maxBytes?: number }) {}

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  listeners({ onLog }: OperationOptions): OperationOptions & LogOptions {
    return {
      onLog: (line) => {
        onLog?.(line);
        this.#takeLine(line);
      },
      onEachProgress: (progress) => this.#takeProgress(progress),
    };
  }

  named(warnings: readonly string[]): string[] {
    let next = 0;
    return warnings.map((text) => (attribute.test(text) ? `At ${this.#warnedAt[next++]}: ${text}` : text));
  }

  async settled(): Promise<void> {
    await this.#looking;
  }

  #takeLine({ level, text }: ToolLogLine): void {
    if (level === 'info') return;
    if (attribute.test(text)) return void this.#warnedAt.push(this.#path);
    if (overQuota.test(text)) this.#end(noSpace());
    else if (refused.test(text)) this.#looking ??= this.#look();
  }

  /** Only the free space tells whether the disk is full. */
  async #look(): Promise<void> {
    const { bavail, bsize, files, ffree } = await statfs(this.asked.folder);
    if (bavail * bsize < nearlyNothing || (files > 0 && ffree === 0)) this.#end(noSpace());
    this.#looking = null;
  }

  #takeProgress({ phase, current = 0, currentPath = '' }: ToolProgress): void {
    if (phase === 'extract') this.#path = currentPath;
    const { maxBytes } = this.asked;
    if (maxBytes === undefined || phase !== 'extract' || current <= maxBytes + tolerance) return;
    const text = `${currentPath}: the archive holds more data than its listing says, so the extraction was ended.`;
    this.#end(new DriverError('damaged', text));
  }

  #end(problem: DriverError): void {
    this.problem ??= problem;
    this.#stop.abort();
  }
}

const noSpace = (): DriverError =>
  new DriverError('no_space', 'The disk of the target is full. Free some space, or choose another target.');
