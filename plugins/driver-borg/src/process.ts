import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, type Writable } from 'node:stream';
import type { OperationOptions, ToolProcess } from '@holdfast/plugin-api/driver';
import { gateDescriptor, niceness } from './launch.js';
import { type LogOptions, ToolLog } from './parse/tool-log.js';
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
  /** The tool saves its progress when it is interrupted. */
  interrupt: boolean;
  lockDescriptor: number | null;
  /** Opens a standard input; without it, the tool has none. */
  input?: boolean;
  /** Replaces paths in the tool's messages by the usual ones. */
  withUsualPaths?: ((text: string) => string) | undefined;
}

export interface ToolExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** We ended it. */
  stopped: boolean;
  /** Set if the program could not be started. */
  spawnError: Error | null;
  log: ToolLog;
  /** ssh's messages, for a remote repository. */
  connectionLog?: string;
}

export interface RunningTool {
  identity: ToolProcess | null;
  /** Only for a launch with `input`. */
  stdin: Writable | null;
  /** Lets the tool begin; until then it does nothing. */
  begin(): void;
  stdout: Readable;
  /** Settles within milliseconds of the tool's end; never rejects. */
  ended: Promise<ToolExit>;
  /** May be called at any time, even twice; resolves when the tool is gone. */
  stop(): Promise<void>;
}

/** After the tool has ended, another process (a connection's helper) may still hold its output open. */
export const outputGraceMs = 2000;

/**
 * Starts the tool in a process group of its own, with the passphrase on descriptor 3. It does nothing before `begin`.
 */
export function startProcess(launch: Launch, options: OperationOptions & LogOptions): RunningTool {
  const child = spawn(launch.program, launch.args, {
    cwd: launch.folder,
    env: launch.environment,
    stdio: [
      ...[launch.input ? ('pipe' as const) : ('ignore' as const), 'pipe' as const, 'pipe' as const],
      ...['pipe' as const, 'pipe' as const, launch.lockDescriptor ?? ('ignore' as const)],
    ],
    detached: true,
  });
  // Without free descriptors there are no pipes; the `error` event reports that.
  const stdout = child.stdout ?? Readable.from([]);
  const log = new ToolLog(
    options,
    launch.environment.PYTHONIOENCODING === 'unicode_escape',
    launch.withUsualPaths,
  );
  // A command that ends without reading them closes the pipes: that is not a failure.
  const [passphrase, gate] = [passphraseDescriptor, gateDescriptor].map((descriptor) =>
    (child.stdio?.[descriptor] as Writable | null | undefined)?.on('error', () => {}),
  );
  passphrase?.end(launch.passphrase);
  let stopped = false;
  let giveUp = (_: End) => {};
  const gone = waitForEnd(child, log);
  const left = new Promise<End>((resolve) => {
    giveUp = resolve;
  });
  const ended = Promise.race([gone, left]).then((end) => ({ ...end, stopped, log }));
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    stopped = true;
    if (!launch.interrupt) stdout.destroy();
    if (await stopInSteps(child.pid, gone, launch.interrupt)) return void (await ended);
    stdout.destroy();
    giveUp({ code: null, signal: 'SIGKILL', spawnError: null });
  };
  // Input that the tool no longer reads is not our failure: its exit shows why.
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
