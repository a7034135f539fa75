import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stopProcess } from './stop-process.mjs';

/** A server program for one test run, with a folder that is removed with it. */
export class OwnServer {
  #child;
  #output = '';

  /** `atOnce` is the signal that ends the program and all of its processes at once. */
  constructor(program, folderName, { within = tmpdir(), atOnce = 'SIGKILL' } = {}) {
    this.program = program;
    this.folder = mkdtempSync(join(within, folderName));
    this.atOnce = atOnce;
    process.on('exit', this.#leave);
  }

  get pid() {
    return this.#child?.pid;
  }

  /** The end of its output since the last start. */
  get output() {
    return this.#output;
  }

  /**
   * Starts the program and resolves when `isReady` returns true. `input` is for what must not be an argument, which
   * everyone on the machine can read. `options` are those of `spawn`.
   */
  async run(parameters, { input = '', isReady, withinMs, options = {} }) {
    const child = spawn(this.program, parameters, { ...options, stdio: 'pipe' });
    this.#child = child;
    this.#output = '';
    const keep = (text) => {
      this.#output = (this.#output + text).slice(-20_000);
    };
    child.on('error', (error) => keep(error.message));
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
    child.stdin.on('error', () => {}).end(input);
    const name = basename(this.program);
    const deadline = Date.now() + withinMs;
    while (!(await isReady())) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${name} exited at once:\n${this.#output}`);
      if (Date.now() > deadline) throw new Error(`${name} does not answer:\n${this.#output}`);
      await pause(20);
    }
  }

  signal(name) {
    this.#child?.kill(name);
  }

  /** Stops it until `signal('SIGCONT')`. Resolves when it stands still. */
  async freeze() {
    if (this.pid) await stopProcess(this.pid);
  }

  /** Ends it and keeps its folder. */
  async stop(signal = 'SIGTERM') {
    const child = this.#child;
    this.#child = undefined;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  async remove() {
    await this.stop(this.atOnce);
    this.#leave();
    process.off('exit', this.#leave);
  }

  endAtOnce() {
    this.#child?.kill('SIGCONT');
    this.#child?.kill(this.atOnce);
  }

  #leave = () => {
    this.endAtOnce();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/**
 * A port that was free a moment ago, for a program that can't choose one itself or comes back on the same one. It is
 * below those that systems give to outgoing connections, one of which could take it meanwhile, and above the last one
 * that browsers refuse (10080).
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(11_000, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
