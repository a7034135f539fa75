import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync, Stats } from 'node:fs';
import { program } from './program.js';

/** More than libuv's four, so that calls that hang leave room for others. */
const threads = '16';
const idleMs = 30_000;

/** Loaders and a changed clock of tests; nothing that may be secret. */
const passedOn = /^(PATH|LD_|FAKETIME|DONT_FAKE|NO_FAKE)/;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  late: NodeJS.Timeout;
}

type Answer = [id: number, kind: 'stats' | 'bigint' | 'value' | 'error', value: unknown];

/** The file system did not answer in time. */
export const noAnswer = (path: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`ETIMEDOUT: the file system does not respond, '${path}'`), {
    code: 'ETIMEDOUT',
    path,
    silent: true,
  });

/** Whether an error says that a file system did not answer in time. */
export const isSilent = (error: unknown): error is NodeJS.ErrnoException & { path: string } =>
  error instanceof Error && 'silent' in error;

/** A child that touches files. It ends when it has had nothing to do for a while. */
export class Prober {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  /** What is asked at the same time goes in one message. */
  #unsent: [id: number, call: string, args: unknown[]][] = [];
  readonly #idle: NodeJS.Timeout;
  #last = 0;
  /** What is held open in it. */
  held = 0;
  retired = false;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;

  constructor() {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)));
    this.#child = spawn(process.execPath, ['-e', program], {
      argv0: 'holdfast-files',
      cwd: '/',
      env: { ...env, UV_THREADPOOL_SIZE: threads },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.gone = new Promise((resolve) => {
      const end = () => {
        this.retired = true;
        clearTimeout(this.#idle);
        for (const [id] of this.#waiting) this.#settle(id)?.reject(ended());
        resolve();
      };
      this.#child.once('exit', end).once('error', end);
    });
    this.#child.on('message', (answers) => {
      for (const answer of answers as Answer[]) this.#answer(answer);
    });
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(() => this.#endIfIdle(), idleMs).unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.held === 0;
  }

  ask(call: string, args: unknown[], { path, ms }: { path: string; ms: number }): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      // The answer may have come while this process was busy: it is read first.
      const give = () => setImmediate(() => this.#settle(id)?.reject(noAnswer(path)));
      const late = setTimeout(give, ms);
      this.#waiting.set(id, { resolve, reject, late });
      this.#child.channel?.ref();
      if (this.#unsent.push([id, call, args]) === 1) queueMicrotask(() => this.#send());
    });
  }

  #send(): void {
    const asked = this.#unsent.splice(0);
    this.#child.send(asked, (error) => {
      if (error) for (const [id] of asked) this.#settle(id)?.reject(ended());
    });
  }

  kill(): void {
    this.retired = true;
    this.#child.kill('SIGKILL');
  }

  #endIfIdle(): void {
    if (!this.isIdle) this.#idle.refresh();
    else {
      this.retired = true;
      if (this.#child.connected) this.#child.disconnect();
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    clearTimeout(waiting.late);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#child.channel?.unref();
    this.#idle.refresh();
    return waiting;
  }

  #answer([id, kind, value]: Answer): void {
    const waiting = this.#settle(id);
    if (kind === 'error') waiting?.reject(Object.assign(new Error(), value));
    else waiting?.resolve(kind === 'value' ? value : Object.assign(Object.create(prototypes[kind]), value));
  }
}

const ended = () => Object.assign(new Error('EIO: the process that reads files ended'), { code: 'EIO' });

/** Node does not export the second. */
const prototypes: Record<'stats' | 'bigint', object> = {
  stats: Stats.prototype,
  bigint: Object.getPrototypeOf(lstatSync('/', { bigint: true })) as object,
};
