import { spawn } from 'node:child_process';
import { DriverError } from '@holdfast/plugin-api/driver';
import { codes, errorOf } from './errors.js';
import { lockFile, lockHolderOf } from './lock-holder.js';
import { graceMs, identify, signalGroup } from './process-identity.js';

/** Waits for a line on descriptor 3 and becomes the tool. Without the line, nothing ever starts. */
const gate = ['/bin/sh', '-c', 'read -r _ <&3 && exec "$@"', 'gate'];

/**
 * Starts one shell script, in a process group of its own, once the service has recorded the process.
 * @param {{ script: string, parameters: string[], folder: string, lock: string | null, input?: string }} work
 *   `lock`: `shared` or `exclusive`; a kernel lock, which is never left behind
 * @param {import('@holdfast/plugin-api/driver').OperationOptions} options
 */
export async function startTool({ script, parameters, folder, lock }, options = {}) {
  const { signal, lockWaitSeconds = 1, bypassLock } = options;
  const locked =
    lock === null || (bypassLock && lock === 'shared') ? [] : locking(folder, lock, lockWaitSeconds);
  const [program, ...rest] = [...gate, ...locked, '/bin/sh', '-c', script, 'tool', ...parameters];
  throwIfAborted(signal);
  options.beforeStart?.();
  throwIfAborted(signal);
  const child = spawn(program, rest, {
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const tool = new Tool(child, { folder, signal });
  if (child.pid === undefined)
    throw (await tool.ended()) ?? new DriverError('failed', 'It could not be started.');
  await tool.open(options.onProcess);
  return tool;
}

const locking = (folder, lock, seconds) => [
  'flock',
  `--${lock}`,
  '--wait',
  `${seconds}`,
  '--conflict-exit-code',
  `${codes.locked}`,
  '--no-fork',
  lockFile(folder),
];

function throwIfAborted(signal) {
  if (signal?.aborted) throw cancelled();
}

const cancelled = () => new DriverError('cancelled', 'The operation was cancelled.');

class Tool {
  #child;
  #stderr = '';
  #ended;
  #folder;
  #signal;
  #killing;

  constructor(child, { folder, signal }) {
    this.#child = child;
    this.#folder = folder;
    this.#signal = signal;
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-65_536);
    });
    // It may end without having read its input.
    child.stdio[3].on('error', () => {});
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: null, error }));
      child.once('close', (code) => resolve({ code }));
    });
    signal?.addEventListener('abort', this.stop);
  }

  get output() {
    return this.#child.stdout;
  }

  /** Its messages about single files, one line each. */
  get warnings() {
    return this.#stderr
      .split('\n')
      .filter((line) => /^tar: /.test(line) && !/Exiting with failure/.test(line));
  }

  async open(onProcess) {
    try {
      await onProcess?.(identify(this.#child.pid));
    } catch (cause) {
      this.stop();
      await this.#ended;
      throw new DriverError('failed', 'The process of tar could not be recorded.', { cause });
    }
    if (!this.#signal?.aborted) return void this.#child.stdio[3].write('go\n');
    await this.#ended;
    throw cancelled();
  }

  /** What the script reads on descriptor 3, as a whole. */
  feed(bytes) {
    this.#child.stdio[3].end(bytes);
  }

  /** Ends it, if necessary by force. */
  stop = () => {
    if (this.#killing || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const { pid } = this.#child;
    signalGroup(pid, 'SIGTERM');
    this.#killing = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
    this.output.resume();
  };

  /** Resolves when it has ended: to null, or to the DriverError that explains its failure. */
  async ended() {
    const { code, error } = await this.#ended;
    clearTimeout(this.#killing);
    this.#signal?.removeEventListener('abort', this.stop);
    if (code === 0) return null;
    if (this.#signal?.aborted) return cancelled();
    const holder = code === codes.locked ? await lockHolderOf(this.#folder) : null;
    return errorOf({ code, error, stderr: this.#stderr, holder });
  }

  /** Its whole output. @throws DriverError */
  async text() {
    let text = '';
    for await (const piece of this.output.setEncoding('utf8')) text += piece;
    const error = await this.ended();
    if (error) throw error;
    return text;
  }
}

/** Runs a script to its end; resolves to its output. */
export async function runTool(work, options) {
  const tool = await startTool(work, options);
  tool.feed(work.input ?? '');
  return tool.text();
}
