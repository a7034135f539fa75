import { type ChildProcess, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { type ScriptOrder, type ScriptResult, type ScriptRunner, scriptText } from '@holdfast/core/server';
import pTimeout from 'p-timeout';
import { BoundedOutput } from './bounded-output.js';
import { interpreterOf } from './interpreter.js';
import { LineSplitter } from './line-splitter.js';
import { endProcess, identify, signalGroup, terminationGraceMs } from './process-group.js';
import { writeScript } from './script-file.js';

/**
 * How long to wait for more output after the script has ended, because a background process may keep it open.
 */
const outputGraceMs = 1_000;

/** Waits for a line on descriptor 4, then executes the interpreter. Exits if descriptor 4 is closed. */
const gate = 'read -r go <&4 && exec 4<&- && exec "$@"';

export const shellScriptRunner: ScriptRunner = { run, endProcess };

async function run(order: ScriptOrder): Promise<ScriptResult> {
  const text = scriptText(order.content);
  const interpreter = interpreterOf(text);
  const file = await writeScript(text, { named: interpreter[0] !== 'bash' });
  try {
    return await runCommand(order, [...interpreter, file.path], file.handle.fd);
  } finally {
    await file.close();
  }
}

async function runCommand(order: ScriptOrder, command: string[], descriptor: number): Promise<ScriptResult> {
  const began = performance.now();
  const output = new BoundedOutput((line) => order.onLine?.(line));
  const end = await launched(order, { command, descriptor, output });
  output.end();
  const seconds = Math.round(performance.now() - began) / 1000;
  return { ...end, stdout: output.text('stdout'), stderr: output.text('stderr'), seconds };
}

interface Launch {
  command: string[];
  /** File descriptor of the script. */
  descriptor: number;
  output: BoundedOutput;
}

async function launched(order: ScriptOrder, { command, descriptor, output }: Launch): Promise<Ending> {
  let child: ChildProcess;
  try {
    child = spawn('/bin/sh', ['-c', gate, 'holdfast-hook', ...command], {
      env: { PATH: process.env.PATH, HOME: homedir(), LANG: 'C.UTF-8', ...order.environment },
      stdio: ['ignore', 'pipe', 'pipe', descriptor, 'pipe'],
      detached: true,
    });
  } catch (error) {
    return notStarted(error);
  }
  const ended = exitOf(child);
  const drained = Promise.all([
    follow(child.stdout, output, 'stdout'),
    follow(child.stderr, output, 'stderr'),
  ]);
  const end = await supervise(child, order, ended);
  await within(drained, outputGraceMs);
  return end;
}

type Ending = Pick<ScriptResult, 'end' | 'exitCode' | 'problem'>;

const notStarted = (error: unknown): Ending => ({
  end: 'not_started',
  exitCode: -1,
  problem: `The script could not be started: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`,
});

/** Starts the script, then waits until it ends, times out or is aborted. */
async function supervise(child: ChildProcess, order: ScriptOrder, ended: Promise<Ending>): Promise<Ending> {
  const { pid } = child;
  const go = child.stdio[4] as Writable | null | undefined;
  go?.on('error', () => {});
  if (pid === undefined) return ended;
  try {
    await order.onProcess?.(identify(pid));
  } catch (error) {
    signalGroup(pid, 'SIGKILL');
    await ended;
    throw error;
  }
  const stopped = stopSignal(order);
  if (!order.signal?.aborted) go?.end('go\n');
  const first = await Promise.race([ended, stopped.reason]);
  stopped.dispose();
  if (typeof first !== 'string') return first;
  await terminate(pid, ended);
  return { end: first, exitCode: -1, problem: null };
}

/** Signals the whole group: SIGTERM, then SIGKILL, also to processes that outlive the script. */
async function terminate(pid: number, ended: Promise<unknown>): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  await within(ended, terminationGraceMs);
  signalGroup(pid, 'SIGKILL');
  await ended;
}

function stopSignal({ signal, timeoutSeconds }: ScriptOrder) {
  let timer: NodeJS.Timeout | undefined;
  let abort = () => {};
  const reason = new Promise<'timed_out' | 'aborted'>((resolve) => {
    abort = () => resolve('aborted');
    timer = setTimeout(() => resolve('timed_out'), timeoutSeconds * 1000);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort);
  });
  const dispose = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { reason, dispose };
}

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

function exitOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(notStarted(error));
    });
    child.once('exit', (code, signal) => {
      const exitCode = code ?? 128 + (signalNumbers[signal ?? 'SIGKILL'] ?? 0);
      resolve({ end: 'exited', exitCode, problem: null });
    });
  });
}

/**
 * Settles at the end of the stream. Keeps reading after the script ended, so that a background process does
 * not die of a closed pipe; unref, so that this does not keep the service alive.
 */
function follow(stream: Readable | null, output: BoundedOutput, name: 'stdout' | 'stderr'): Promise<void> {
  if (!stream) return Promise.resolve();
  const lines = new LineSplitter((text) => output.add({ stream: name, text }));
  return new Promise((resolve) => {
    stream.on('data', (bytes: Buffer) => lines.push(bytes));
    stream.once('error', () => resolve());
    stream.once('close', () => {
      lines.end();
      resolve();
    });
    (stream as Readable & { unref?(): void }).unref?.();
  });
}

const within = (work: Promise<unknown>, ms: number) =>
  pTimeout(work, { milliseconds: ms, fallback: () => undefined });
