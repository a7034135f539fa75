import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, type Writable } from 'node:stream';
import type { OperationOptions, ToolProcess } from '@holdfast/plugin-api/driver';
import { gateDescriptor, niceness } from './launch.js';
import { ToolLog } from './parse/tool-log.js';
import { identify } from './process-identity.js';
import { lowerSession } from './session-priority.js';
import { stopInSteps } from './stop-process.js';

const passphraseDescriptor = 3;

export interface Launch {
  program: string;
  args: string[];
  environment: NodeJS.ProcessEnv;
  folder: string;
  passphrase: string;
  /** The tool saves what it has when it is interrupted. */
  interrupt: boolean;
  lockDescriptor: number | null;
  /** Gives it a standard input; without, it has none. */
  input?: boolean;
  /** Gives what it says the paths that people know. */
  plainly?: ((text: string) => string) | undefined;
}

export interface ToolExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** We ended it. */
  stopped: boolean;
  /** It never ran: the program could not be started. */
  spawnError: Error | null;
  log: ToolLog;
  /** What ssh said, for a remote repository. */
  connectionLog?: string;
}

export interface RunningTool {
  identity: ToolProcess | null;
  /** Only for a launch with `input`. */
  stdin: Writable | null;
  /** Until now it has done nothing. */
  begin(): void;
  stdout: Readable;
  /** Settles within milliseconds of the tool's end; never rejects. */
  ended: Promise<ToolExit>;
  /** May be called at any time, also twice; resolves when the tool is gone. */
  stop(): Promise<void>;
}

/** After the tool itself ended, something else may still hold its output open (a connection's helper). */
export const outputGraceMs = 2000;

/**
 * Starts the tool in a process group of its own, with the passphrase on descriptor 3; it waits for `begin`
 * before it does anything.
 */
export function startProcess(launch: Launch, options: OperationOptions): RunningTool {
  const child = spawn(launch.program, launch.args, {
    cwd: launch.folder,
    env: launch.environment,
    stdio: [
      ...[launch.input ? ('pipe' as const) : ('ignore' as const), 'pipe' as const, 'pipe' as const],
      ...['pipe' as const, 'pipe' as const, launch.lockDescriptor ?? ('ignore' as const)],
    ],
    detached: true,
  });
  // Without free descriptors there are no pipes: the `error` event says so.
  const stdout = child.stdout ?? Readable.from([]);
  const log = new ToolLog(options, launch.environment.PYTHONIOENCODING === 'unicode_escape', launch.plainly);
  // A command that ends without having read them closes the pipes: that is no failure.
  const [passphrase, gate] = [passphraseDescriptor, gateDescriptor].map((descriptor) =>
    (child.stdio?.[descriptor] as Writable | null | undefined)?.on('error', () => {}),
  );
  passphrase?.end(launch.passphrase);
  let stopped = false;
  const ended = waitForEnd(child, log).then((end) => ({ ...end, stopped, log }));
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    stopped = true;
    if (!launch.interrupt) stdout.destroy();
    await stopInSteps(child.pid, ended, launch.interrupt);
  };
  // What the tool doesn't read any more is no failure of ours: its end tells.
  child.stdin?.on('error', () => {});
  const identity = child.pid === undefined ? null : identify(child.pid);
  if (child.pid !== undefined) void lowerSession(child.pid, niceness);
  const begin = () => void gate?.end('\n');
  return { identity, begin, stdin: child.stdin, stdout, ended, stop };
}

type End = Pick<ToolExit, 'code' | 'signal' | 'spawnError'>;

function waitForEnd(child: ChildProcess, log: ToolLog): Promise<End> {
  const stderr = child.stderr ?? Readable.from([]);
  stderr.setEncoding('utf8');
  stderr.on('data', (piece: string) => log.push(piece));
  stderr.on('error', () => {});
  return new Promise<End>((resolve) => {
    let spawnError: Error | null = null;
    child.once('error', (error) => {
      spawnError = error;
      if (child.pid === undefined) resolve({ code: null, signal: null, spawnError });
    });
    child.once('exit', () => {
      setTimeout(() => stderr.destroy(), outputGraceMs).unref();
    });
    child.once('exit', (code, signal) => {
      const done = () => {
        log.end();
        resolve({ code, signal, spawnError });
      };
      if (stderr.closed || stderr.readableEnded) done();
      else stderr.once('close', done);
    });
  });
}
