import { DriverError, type OperationOptions, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { isSilent } from '@holdfast/plugin-api/files';
import { brake } from './brake.js';
import type { Cell } from './confinement.js';
import type { BorgContext } from './context.js';
import { baseFolder, makeEnvironment } from './environment.js';
import { type AdmissionFile, makeAdmissionFile } from './identity/admission-file.js';
import { checkLocalIdentity } from './identity/local-identity.js';
import { acceptsUnencrypted } from './identity/other-repository.js';
import type { KeyFile } from './key-files.js';
import { gatePrefix, launchPrefix } from './launch.js';
import { isRemote, literal } from './location.js';
import { ownDiskFull } from './own-folder.js';
import type { LogOptions } from './parse/tool-log.js';
import { type Launch, type RunningTool, startProcess } from './process.js';
import { remoteShell, shellWord, transportOf } from './transport.js';

export interface Command {
  /** `['create']`, `['key', 'export']` */
  verb: string[];
  flags?: string[];
  /** Passed after `--`, which is left out without arguments because some commands reject it. */
  args: string[];
  /** Changes the repository, so it is interrupted gently. */
  writes?: boolean;
  progress?: boolean;
  /** Working folder of the tool; by default the folder of its caches. */
  folder?: string;
  encoding?: 'unicode_escape';
  /** Bytes that the tool may print. */
  mostOutput?: number;
  /** Arguments before the tool: what it sees of the file system. */
  view?: readonly string[];
  /** Standard input of the tool; without it, the tool has none. */
  input?: AsyncIterable<Buffer>;
  /** Answers to the tool's questions, passed in its environment. */
  answers?: Record<string, string>;
  /** Records what the repository is for the commands that follow. Before it, nothing here writes to the repository. */
  firstLook?: boolean;
  /** Keeps the tool from writing outside its folder. */
  cell?: Cell | null;
  /** Where the tool finds the key, or writes it for a new repository. Default: the target's key file. */
  key?: KeyFile;
}

export interface Call {
  context: BorgContext;
  target: RepositoryTarget;
  command: Command;
  options: OperationOptions & LogOptions;
}

const defaultLockWaitSeconds = 1;
const verbsWithoutLock = ['list', 'info', 'extract', 'export-tar'];

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
    ...(command.args.length > 0 ? ['--', ...command.args] : []),
  ];
}

/** The remote shell gets this word unchanged, and borg expands placeholders in it. */
const remotePath = ({ location, remoteToolPath }: RepositoryTarget): string[] =>
  isRemote(location) && remoteToolPath ? [`--remote-path=${shellWord(literal(remoteToolPath))}`] : [];

/** From a descriptor, borg reads other line ends and drops the last ones. */
const spelledOut = (passphrase: string): NodeJS.ProcessEnv =>
  /\r|\n$/.test(passphrase) ? { BORG_PASSPHRASE: passphrase } : {};

interface OwnFiles {
  key: KeyFile | null;
  /** ssh's log file; null for a local repository. */
  sshLog: KeyFile | null;
  /** The connection waits for this file. */
  admission: AdmissionFile | null;
  remove(): Promise<void>;
}

async function prepare(call: Call, { key, sshLog, admission }: OwnFiles): Promise<Launch> {
  const { context, target, command } = call;
  const base = baseFolder(context.dataFolder, target.uid);
  const passphrase = target.passphrase ?? '';
  const transport = transportOf(target);
  const lockIdentity = await context.locks.take();
  if (!bypassesLock(call)) await context.locks.clear(target, { base, onLog: call.options.onLog });
  const [program, prefix, environment] = await Promise.all([
    context.tool.program(),
    launchPrefix(),
    makeEnvironment({
      base,
      unencrypted: acceptsUnencrypted(target),
      lockIdentity: lockIdentity?.id ?? null,
      home: command.cell?.home,
      besideWriter: bypassesLock(call) && !command.firstLook,
      keyFile: key?.path ?? null,
      encoding: command.encoding,
      remoteShell: transport && sshLog ? remoteShell(transport, sshLog.path, admission?.prefix) : null,
    }),
  ]);
  const confined = command.cell?.prefix({ base, sshLog: sshLog?.path ?? null }) ?? [];
  const args = [
    ...[...prefix, ...confined, ...gatePrefix, ...(command.view ?? [])],
    ...[program, ...argumentsOf(call)],
  ];
  const [first, ...rest] = args as [string, ...string[]];
  return {
    program: first,
    args: rest,
    environment: { ...environment, ...spelledOut(passphrase), ...command.answers },
    folder: command.folder ?? base,
    passphrase,
    interrupt: command.writes === true,
    input: command.input !== undefined,
    lockDescriptor: lockIdentity?.descriptor ?? null,
    withUsualPaths: command.cell?.withUsualPaths,
  };
}

async function makeOwnFiles({ context, target, command }: Call, waits: boolean): Promise<OwnFiles> {
  const { keyFiles } = context;
  const own = command.key === undefined && target.keyFile !== null;
  const key = command.key ?? (own ? await keyFiles.make(target.keyFile) : null);
  const remote = isRemote(target.location);
  const sshLog = remote ? await keyFiles.make(null) : null;
  const admission = remote && waits ? await makeAdmissionFile(keyFiles) : null;
  const remove = async () => {
    await admission?.remove();
    await sshLog?.remove();
    if (own) await key?.remove();
  };
  return { key, sshLog, admission, remove };
}

/**
 * Starts one command of the tool, unless its repository is not the registered one. The files made for it are removed
 * before `ended` settles. A tool for another host may start before it is admitted: only its connection waits.
 */
export async function startTool(call: Call, admitted: Promise<void> | null = null): Promise<RunningTool> {
  const { target, options } = call;
  throwIfAborted(options.signal);
  await checkLocalIdentity(target).catch((error: unknown) => {
    throw asDriverError(error);
  });
  const files = await makeOwnFiles(call, admitted !== null);
  try {
    if (!files.admission) await admitted;
    const launch = await prepare(call, files);
    options.beforeStart?.();
    throwIfAborted(options.signal);
    const running = startProcess(launch, options);
    const stop = () => void running.stop();
    options.signal?.addEventListener('abort', stop, { once: true });
    const ended = running.ended.then(async (exit) => {
      options.signal?.removeEventListener('abort', stop);
      const connectionLog = (await files.sshLog?.read()) ?? '';
      await files.remove().catch(() => {}); // Leftovers are removed at the next start.
      return { ...exit, connectionLog };
    });
    await announce(running, options);
    running.begin();
    const speed = transportOf(target)?.speed;
    if (speed && running.identity) void running.ended.then(brake(running.identity.pid, speed));
    admitted?.then(
      () => files.admission?.answer(true),
      () => files.admission?.answer(false),
    );
    return { ...running, ended };
  } catch (error) {
    await files.remove();
    throw asDriverError(error);
  }
}

/** Reports the process before the tool begins; if that fails, the tool is ended. */
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

/** Callers see only DriverErrors. */
export function asDriverError(error: unknown): DriverError {
  if (error instanceof DriverError) return error;
  if (isSilent(error)) {
    const text = `The file system of ${error.path} does not respond: check its host or disk.`;
    return new DriverError('connection', text, { cause: error });
  }
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DriverError('no_space', ownDiskFull, { cause: error });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new DriverError('permission', 'Holdfast has no permission to write to the folder.', {
      cause: error,
    });
  if (code === 'E2BIG')
    return new DriverError('usage', 'There are too many paths or patterns for one command.', {
      cause: error,
    });
  if (code === 'ERR_INVALID_ARG_VALUE')
    return new DriverError('usage', 'A path or name contains a character that cannot be passed to Borg.');
  return new DriverError('failed', 'Borg could not be run.', { cause: error });
}
