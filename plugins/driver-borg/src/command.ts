import { DriverError, type OperationOptions, type RepositoryTarget } from '@holdfast/core/plugin';
import type { Cell } from './confinement.js';
import type { BorgContext } from './context.js';
import { baseFolder, makeEnvironment } from './environment.js';
import type { KeyFile } from './key-files.js';
import { gatePrefix, launchPrefix } from './launch.js';
import { isRemote, literal } from './location.js';
import { type Launch, type RunningTool, startProcess } from './process.js';
import { remoteShell, shellWord, transportOf } from './transport.js';

export interface Command {
  /** `['create']`, `['key', 'export']` */
  verb: string[];
  flags?: string[];
  /** What stands after `--`, which some commands without words refuse. */
  words: string[];
  /** Changes the repository: interrupted gently. */
  writes?: boolean;
  progress?: boolean;
  /** Where the tool works; by default the folder of its caches. */
  folder?: string;
  encoding?: 'unicode_escape';
  /** What the tool reads from its standard input; without, it has none. */
  input?: AsyncIterable<Buffer>;
  /** Answers to questions of the tool, as it takes them from its environment. */
  answers?: Record<string, string>;
  /** Keeps it from writing outside of its folder. */
  cell?: Cell | null;
  /** Where the tool finds, or for a new repository leaves, the key; by default the target's key file. */
  key?: KeyFile;
}

export interface Call {
  context: BorgContext;
  target: RepositoryTarget;
  command: Command;
  options: OperationOptions;
}

const defaultLockWaitSeconds = 1;
const verbsWithoutLock = ['list', 'info', 'extract'];

const bypassesLock = ({ command, options }: Call): boolean =>
  options.bypassLock === true && verbsWithoutLock.includes(command.verb[0] as string);

function argumentsOf(call: Call): string[] {
  const { target, command, options } = call;
  const wait = Math.max(0, Math.ceil(options.lockWaitSeconds ?? defaultLockWaitSeconds));
  return [
    ...command.verb,
    '--log-json',
    ...(command.progress ? ['--progress'] : []),
    `--lock-wait=${wait}`,
    ...(bypassesLock(call) ? ['--bypass-lock'] : []),
    ...remotePath(target),
    ...(command.flags ?? []),
    ...(command.words.length > 0 ? ['--', ...command.words] : []),
  ];
}

/** The far side's shell gets this word as it stands, and borg expands placeholders in it. */
const remotePath = ({ location, remoteToolPath }: RepositoryTarget): string[] =>
  isRemote(location) && remoteToolPath ? [`--remote-path=${shellWord(literal(remoteToolPath))}`] : [];

interface OwnFiles {
  key: KeyFile | null;
  /** Where ssh writes what it has to say; null for a local repository. */
  sshLog: KeyFile | null;
}

async function prepare(call: Call, { key, sshLog }: OwnFiles): Promise<Launch> {
  const { context, target, command } = call;
  const base = baseFolder(context.dataFolder, target.uid);
  const transport = transportOf(target);
  const [program, prefix, environment] = await Promise.all([
    context.tool.program(),
    launchPrefix(),
    makeEnvironment({
      base,
      home: command.cell?.home,
      besideWriter: bypassesLock(call),
      keyFile: key?.path ?? null,
      encoding: command.encoding,
      remoteShell: transport && sshLog ? remoteShell(transport, sshLog.path) : null,
    }),
  ]);
  const confined = command.cell?.prefix({ base, sshLog: sshLog?.path ?? null }) ?? [];
  const words = [...prefix, ...confined, ...gatePrefix, program, ...argumentsOf(call)];
  const [first, ...rest] = words as [string, ...string[]];
  return {
    program: first,
    args: rest,
    environment: { ...environment, ...command.answers },
    folder: command.folder ?? base,
    passphrase: target.passphrase ?? '',
    interrupt: command.writes === true,
    input: command.input !== undefined,
    plainly: command.cell?.plainly,
  };
}

/** Starts one command of the tool. The files made for it are gone when `ended` settles. */
export async function startTool(call: Call): Promise<RunningTool> {
  const { context, target, command, options } = call;
  throwIfAborted(options.signal);
  const own = command.key === undefined && target.keyFile !== null;
  const key = command.key ?? (own ? await context.keyFiles.make(target.keyFile) : null);
  const sshLog = isRemote(target.location) ? await context.keyFiles.make(null) : null;
  const cleanUp = async () => {
    await sshLog?.remove();
    if (own) await key?.remove();
  };
  try {
    const launch = await prepare(call, { key, sshLog });
    options.beforeStart?.();
    throwIfAborted(options.signal);
    const running = startProcess(launch, options);
    const stop = () => void running.stop();
    options.signal?.addEventListener('abort', stop, { once: true });
    const ended = running.ended.then(async (exit) => {
      options.signal?.removeEventListener('abort', stop);
      const connectionLog = (await sshLog?.read()) ?? '';
      await cleanUp().catch(() => {}); // What stays is swept at the next start.
      return { ...exit, connectionLog };
    });
    await announce(running, options);
    running.begin();
    return { ...running, ended };
  } catch (error) {
    await cleanUp();
    throw asDriverError(error);
  }
}

/** The tool may begin afterwards; a tool that may not is ended. */
async function announce(running: RunningTool, options: OperationOptions): Promise<void> {
  try {
    if (running.identity !== null) await options.onProcess?.(running.identity);
    throwIfAborted(options.signal);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DriverError('cancelled', 'The operation was cancelled.');
}

/** Everything that a caller sees is a DriverError. */
export function asDriverError(error: unknown): DriverError {
  if (error instanceof DriverError) return error;
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DriverError('no_space', "The disk of the service's data folder is full.", { cause: error });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new DriverError('permission', 'The service may not write there.', { cause: error });
  if (code === 'E2BIG')
    return new DriverError('usage', 'There are too many paths or patterns for one command.', {
      cause: error,
    });
  if (code === 'ERR_INVALID_ARG_VALUE')
    return new DriverError('usage', 'A path or name holds a character that cannot be handed to the tool.');
  return new DriverError('failed', 'The backup tool could not be run.', { cause: error });
}
