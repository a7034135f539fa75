import { Readable } from 'node:stream';
import type { OperationOptions, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { asDriverError, type Command, startTool } from '../command.js';
import type { BorgContext } from '../context.js';
import { outcomeOf } from '../exit-codes.js';
import type { ToolExit } from '../process.js';
import { failure } from '../run-tool.js';

export interface ToolStream {
  target: RepositoryTarget;
  command: Command;
  options: OperationOptions;
  /** Throws if the tool's warnings mean that the output is not what was asked for. */
  judge(exit: ToolExit): void;
}

/** The standard output of a command. A failure of the tool destroys the stream with a DriverError. */
export function streamOfTool(context: BorgContext, { options, ...asked }: ToolStream): Readable {
  const closed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, closed.signal]) : closed.signal;
  const pieces = output(context, { ...asked, options: { ...options, signal } });
  const stream = Readable.from(pieces, { objectMode: false });
  // A destroyed stream may be waiting for a silent tool: the signal ends that, too.
  stream.once('close', () => closed.abort());
  return stream;
}

async function* output(
  context: BorgContext,
  { target, command, options, judge }: ToolStream,
): AsyncGenerator<Buffer> {
  try {
    const running = await startTool({ context, target, command, options });
    try {
      for await (const piece of running.stdout) yield piece as Buffer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
    const exit = await running.ended;
    const outcome = outcomeOf(exit);
    if (exit.stopped || outcome === 'failed') throw await failure({ context, target }, exit);
    if (outcome !== 'ok') judge(exit);
  } catch (error) {
    throw asDriverError(error);
  }
}

export const neverMatched = (exit: ToolExit): boolean =>
  exit.log.warnings.some(({ text }) => text.endsWith(' never matched.'));
