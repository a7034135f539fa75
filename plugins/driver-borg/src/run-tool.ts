import { setTimeout as pause } from 'node:timers/promises';
import { DriverError } from '@holdfast/plugin-api/driver';
import { asDriverError, type Call, startTool } from './command.js';
import { connectionFailure } from './connection-errors.js';
import { baseFolder } from './environment.js';
import { errorOf, warningsOf } from './errors.js';
import { type Outcome, outcomeOf } from './exit-codes.js';
import { feed } from './feed.js';
import { admission } from './identity/admission.js';
import { olderState } from './identity/older-state.js';
import { otherRepository, parseAnswer } from './identity/other-repository.js';
import { isRemote, repositoryArgument } from './location.js';
import { lockedError } from './locks/locked-error.js';
import { outputGraceMs, type ToolExit } from './process.js';
import { endedAtOnce, missingTool } from './remote-tool.js';

const longestWaitForCacheMs = 60_000;
const mostOutput = 256 * 1024 * 1024;

export interface ToolRun {
  output: string;
  exit: ToolExit;
  outcome: Outcome;
  /** Why the tool's input was incomplete; null if it was complete, or there was none. */
  inputError: unknown;
}

/** Runs a command to its end and returns its whole output, whatever the outcome. Only for short output. */
export async function runTool(call: Call): Promise<ToolRun> {
  let rejection: unknown = null;
  const left = new AbortController();
  const signal = call.options.signal ? AbortSignal.any([call.options.signal, left.signal]) : left.signal;
  const admitted = admission({ ...call, options: { signal } }, () => listIdentity(call, signal));
  admitted?.catch((error: unknown) => {
    rejection = error;
  });
  try {
    const run = await runAdmitted(call, admitted);
    if (rejection === null) return run;
    throw asDriverError(rejection);
  } finally {
    left.abort();
  }
}

/** Throws DriverError `other_repository`, even if only the tool's records show it; other errors if it does not open. */
async function listIdentity({ context, target }: Call, signal: AbortSignal): Promise<void> {
  const args = [repositoryArgument(target.location)];
  const command = { verb: ['list'], flags: ['--json', '--last=1'], args };
  const { output } = await runToolOrThrow({
    context,
    target,
    command,
    options: { signal, bypassLock: true },
  });
  parseAnswer(target, output);
}

async function runAdmitted(call: Call, admitted: Promise<void> | null): Promise<ToolRun> {
  const running = await startTool(call, admitted);
  const pieces: Buffer[] = [];
  const most = call.command.mostOutput ?? mostOutput;
  let size = 0;
  running.stdout.on('error', () => {});
  running.stdout.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= most) pieces.push(piece);
    else void running.stop();
  });
  const feeding = call.command.input ? feed(running, call.command.input) : null;
  const closed = new Promise<void>((resolve) => {
    if (running.stdout.closed) resolve();
    else running.stdout.once('close', () => resolve());
  });
  const exit = await running.ended;
  await Promise.race([closed, pause(outputGraceMs, undefined, { ref: false })]);
  if (size > most) throw new DriverError('failed', 'The output of Borg is too long.');
  const inputError = await feeding;
  return { output: Buffer.concat(pieces).toString('utf8'), exit, outcome: outcomeOf(exit), inputError };
}

/** As `runTool`, but throws on failure. */
export async function runToolOrThrow(call: Call): Promise<ToolRun & { warnings: string[] }> {
  const run = await runBesideOthers(call);
  // Stopped too late: the work is done, and is reported as such.
  const stopped = run.exit.stopped && run.outcome !== 'ok';
  if (stopped || run.outcome === 'failed') {
    const error = await failure(call, run.exit);
    if (!mayLookAnyway(call, error)) throw error;
    return runToolOrThrow({ ...call, command: { ...call.command, answers: acceptUnsigned } });
  }
  return { ...run, warnings: run.outcome === 'warnings' ? warningsOf(run.exit) : [] };
}

export const acceptUnsigned = { BORG_WORKAROUNDS: 'ignore_invalid_archive_tam' };

/** What is not registered yet could not be registered otherwise, nor its archives be signed. */
const mayLookAnyway = ({ target, command }: Call, { kind }: DriverError): boolean =>
  kind === 'archive_unsigned' && target.expected === undefined && command.answers !== acceptUnsigned;

// Readers of one repository share the tool's cache on this machine, which only one of them may lock at a time.
async function runBesideOthers(call: Call): Promise<ToolRun> {
  const end = performance.now() + longestWaitForCacheMs;
  for (;;) {
    const run = await runTool(call);
    if (!waitsForCache(call, run.exit) || performance.now() > end) return run;
    await pause(200, undefined, { signal: call.options.signal }).catch(() => {});
  }
}

function waitsForCache({ context, target }: Call, exit: ToolExit): boolean {
  if (exit.stopped) return false;
  const base = baseFolder(context.dataFolder, target.uid);
  return exit.log.errors.some(({ msgid, text }) => msgid === 'LockTimeout' && text.includes(base));
}

export async function failure(
  call: Pick<Call, 'target' | 'context'> & { options?: Call['options'] },
  exit: ToolExit,
): Promise<DriverError> {
  const { context, target } = call;
  // The next one may use borg directly, which can't know that the holder is dead.
  if (exit.signal !== null) {
    const base = baseFolder(context.dataFolder, target.uid);
    await context.locks.clear(target, { base, onLog: call.options?.onLog });
  }
  const error = errorOf(exit);
  if (error.kind === 'connection' || (error.kind === 'failed' && isRemote(call.target.location)))
    return (await whyNotReached(call.target, exit)) ?? error;
  if (error.kind === 'other_repository' && call.target.expected)
    return otherRepository({ ...call.target, expected: call.target.expected }, {});
  if (error.kind === 'older_state') return olderState(call, error, runToolOrThrow);
  return error.kind === 'locked' ? lockedError(call, error) : error;
}

const whyNotReached = async (target: Call['target'], exit: ToolExit): Promise<DriverError | null> =>
  connectionFailure(target, exit) ?? (endedAtOnce(exit) ? missingTool(target) : null);
