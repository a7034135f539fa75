import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { entry } from './product.js';

export interface CommandOptions {
  env?: Record<string, string | undefined>;
  /** What is typed; default: nothing. */
  input?: string;
  cwd?: string;
}

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** One run of `holdfast`, as a process of its own. */
export class RunningCommand {
  out = '';
  err = '';
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;

  constructor(parameters: string[], { env, input = '', cwd }: CommandOptions = {}) {
    const child = spawn(process.execPath, [entry, ...parameters], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    // A command that ends without reading it is no fault.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    this.ended = once(child, 'close').then(([code]) => ({ code, out: this.out, err: this.err }));
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when the output holds the text, or rejects when the command ended without it. */
  said(text: string | RegExp): Promise<void> {
    const holds = () => (typeof text === 'string' ? this.out.includes(text) : text.test(this.out));
    return new Promise((resolve, reject) => {
      const look = () => {
        if (holds()) resolve();
      };
      this.#child.stdout?.on('data', look);
      look();
      void this.ended.then(() => (holds() ? resolve() : reject(new Error(`ended: ${this.out}${this.err}`))));
    });
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.runs) this.#child.kill(signal);
    await this.ended;
  }
}

/** Runs `holdfast` to its end. */
export const holdfast = (parameters: string[], options?: CommandOptions): Promise<Ended> =>
  new RunningCommand(parameters, options).ended;
