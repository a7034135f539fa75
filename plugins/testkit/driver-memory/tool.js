// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DriverError } from '@holdfast/plugin-api/driver';

/**
 * @typedef {import('@holdfast/plugin-api/driver').ToolProcess} ToolProcess
 * @typedef {import('@holdfast/plugin-api/driver').OperationOptions} OperationOptions
 */

const lockOf = (/** @type {string} */ folder) => join(folder, 'lock');
const lockedCode = 75;

/** Waits until it was recorded and has the lock; a line on its input lets it store a change, and the end of it ends it. */
const script = {
  begin: 'read -r _ && exec "$@"',
  work: 'cd / && echo ready && { ! read -r _ || exec mv -f -- "$1/next.json" "$1/repository.json"; }',
};

const cancelled = () => new DriverError('cancelled', 'The operation was cancelled.');

/**
 * The work itself is done in this process. What the port promises of a tool's process is kept by a shell that lives as
 * long as the operation, holds the lock, and alone can store a change: who ends it ends the work.
 */
export class Tool {
  #child;
  #folder;
  #options;
  #stop = () => void this.#child.kill('SIGKILL');
  #ended;
  #gone = new AbortController();

  /**
   * @param {{ operation: string, folder: string, lock: 'shared' | 'exclusive' | null }} work
   * @param {OperationOptions} [options]
   */
  static async start({ operation, folder, lock }, options = {}) {
    if (options.signal?.aborted) throw cancelled();
    options.beforeStart?.();
    if (options.signal?.aborted) throw cancelled();
    const tool = new Tool(folder, options.bypassLock && lock === 'shared' ? null : lock, options);
    try {
      await tool.#begin();
      await tool.#obeyTests(operation);
      return tool;
    } catch (error) {
      await tool.end();
      throw tool.errorOf(error);
    }
  }

  /**
   * @param {string} folder
   * @param {'shared' | 'exclusive' | null} lock
   * @param {OperationOptions} options
   */
  constructor(folder, lock, options) {
    const { lockWaitSeconds = 1, signal } = options;
    const flock = `flock -F -w ${lockWaitSeconds} -E ${lockedCode} --${lock}`.split(' ');
    const locked = lock === null ? [] : [...flock, lockOf(folder)];
    const work = [...locked, '/bin/sh', '-c', script.work, 'sh', folder];
    this.#folder = folder;
    this.#options = options;
    this.#child = spawn('/bin/sh', ['-c', script.begin, 'sh', ...work], {
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.stdin.on('error', () => {});
    this.#ended = once(this.#child, 'close').then(([code]) => {
      this.#gone.abort();
      signal?.removeEventListener('abort', this.#stop);
      return code;
    });
    signal?.addEventListener('abort', this.#stop);
  }

  async #begin() {
    await this.#options.onProcess?.(identify(this.#child.pid ?? 0));
    if (this.#options.signal?.aborted) throw cancelled();
    const ready = once(this.#child.stdout, 'data', { signal: this.#gone.signal });
    this.#child.stdin.write('begin\n');
    await ready.catch(async () => {
      if ((await this.#ended) !== lockedCode) return;
      const holder = lockHolderOf(this.#folder) ?? 'a process that has ended since';
      throw new DriverError('locked', `The repository is in use by ${holder}.`, { holder });
    });
    this.go();
  }

  /** @param {string} operation */
  async #obeyTests(operation) {
    const failure = `${this.#folder}.fail.${operation}`;
    if (existsSync(failure)) {
      const [, kind, message] = /^(\w+) (.*)/.exec(readFileSync(failure, 'utf8')) ?? [];
      rmSync(failure);
      throw new DriverError(/** @type {any} */ (kind), message ?? '');
    }
    if (operation !== 'createArchive') await this.waitWhileHeld(operation);
  }

  /** @param {string} operation */
  async waitWhileHeld(operation) {
    await whileHeld(this.#folder, operation, this.#gone.signal);
    this.go();
  }

  /** Aborted when the process is gone. */
  get signal() {
    return this.#gone.signal;
  }

  /** Throws when the operation must not go on. */
  go() {
    if (this.#options.signal?.aborted) throw cancelled();
    if (this.#gone.signal.aborted) throw new DriverError('failed', 'The tool was ended.');
  }

  /** Makes `next.json` the repository's state, unless the tool was ended. */
  async commit() {
    this.#child.stdin.write('commit\n');
    if ((await this.#ended) === 0) return;
    this.go();
    throw new DriverError('failed', 'The change could not be stored.');
  }

  /** Resolves once its process is gone. */
  async end() {
    if (this.#options.signal?.aborted) this.#stop();
    this.#child.stdin.end();
    await this.#ended;
  }

  /** @param {unknown} error */
  errorOf(error) {
    if (error instanceof DriverError) return error;
    if (this.#options.signal?.aborted) return cancelled();
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EACCES' || code === 'EROFS')
      return new DriverError('permission', message, { cause: error });
    return new DriverError(code === 'ENOSPC' ? 'no_space' : 'failed', message, { cause: error });
  }
}

/**
 * Waits until tests let the operation go on.
 * @param {string} folder
 * @param {string} operation
 * @param {AbortSignal} [signal]
 */
export async function whileHeld(folder, operation, signal) {
  const hold = `${folder}.hold.${operation}`;
  const held = `${folder}.held.${operation}`;
  if (!existsSync(hold)) return;
  writeFileSync(held, '');
  await new Promise((resolve) => {
    const watcher = watch(dirname(hold));
    const see = () => {
      if (existsSync(hold) && !signal?.aborted) return;
      watcher.close();
      resolve(undefined);
    };
    watcher.on('change', see);
    signal?.addEventListener('abort', see);
    see();
  });
  rmSync(held, { force: true });
}

/**
 * Describes who holds the lock, as the kernel knows it.
 * @param {string} folder
 */
export function lockHolderOf(folder) {
  if (!existsSync(lockOf(folder))) return null;
  const file = realpathSync(lockOf(folder));
  for (const [, pid] of readFileSync('/proc/locks', 'utf8').matchAll(/FLOCK +ADVISORY +\w+ +(\d+) /g)) {
    const open = `/proc/${pid}/fd`;
    if (existsSync(open) && readdirSync(open).some((fd) => isLinkTo(join(open, fd), file)))
      return `process ${pid} on this machine`;
  }
  return null;
}

/**
 * @param {string} link
 * @param {string} file
 */
function isLinkTo(link, file) {
  try {
    return readlinkSync(link) === file;
  } catch {
    return false;
  }
}

const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/**
 * When the process started, in the kernel's ticks; empty if it is gone.
 * @param {number} pid
 */
function startOf(pid) {
  if (!existsSync(`/proc/${pid}/stat`)) return '';
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return /[ZX]/.test(fields[0] ?? '') ? '' : (fields[19] ?? '');
}

/** @param {number} pid */
const identify = (pid) => ({ pid, startedAt: startOf(pid), host: bootId() });

/**
 * @param {ToolProcess} process
 * @returns {Promise<'ended' | 'gone' | 'elsewhere'>}
 */
export async function endProcess({ pid, startedAt, host }) {
  if (host !== bootId()) return 'elsewhere';
  if (startedAt === '' || startOf(pid) !== startedAt) return 'gone';
  process.kill(pid, 'SIGKILL');
  while (startOf(pid) === startedAt) await pause(5);
  return 'ended';
}
