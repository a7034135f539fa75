import { Readable } from 'node:stream';
import { type BackupDriver, DriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { asDriverError, type Call, startTool } from '../command.js';
import type { BorgContext } from '../context.js';
import { outcomeOf } from '../exit-codes.js';
import { archiveArgument } from '../location.js';
import { exactPathPattern } from '../path-pattern.js';
import type { ToolExit } from '../process.js';
import { failure } from '../run-tool.js';

type ReadFile = BackupDriver['readFile'];

export const readFile =
  (context: BorgContext): ReadFile =>
  (target, input, options = {}) => {
    const closed = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, closed.signal]) : closed.signal;
    const pieces = content(context, target, { ...input, options: { ...options, signal } });
    const stream = Readable.from(pieces, { objectMode: false });
    // A destroyed stream may be waiting for a silent tool: the signal ends that, too.
    stream.once('close', () => closed.abort());
    return stream;
  };

type Input = Parameters<ReadFile>[1] & { options: NonNullable<Parameters<ReadFile>[2]> };

async function* content(
  context: BorgContext,
  target: RepositoryTarget,
  input: Input,
): AsyncGenerator<Buffer> {
  try {
    const args = [archiveArgument(target.location, input.archive), exactPathPattern(input.path)];
    const command = { verb: ['extract'], flags: ['--stdout'], args };
    const running = await startTool({ context, target, command, options: input.options });
    try {
      for await (const piece of running.stdout) yield piece as Buffer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
    await throwUnlessRead({ context, target }, await running.ended);
  } catch (error) {
    throw asDriverError(error);
  }
}

async function throwUnlessRead(place: Pick<Call, 'context' | 'target'>, exit: ToolExit): Promise<void> {
  const outcome = outcomeOf(exit);
  if (exit.stopped || outcome === 'failed') throw await failure(place, exit);
  if (outcome === 'ok') return;
  if (exit.log.warnings.some(({ text }) => text.endsWith(' never matched.')))
    throw new DriverError('path_missing', 'The archive does not contain this path.', { exitCode: exit.code });
  throw new DriverError('damaged', exit.log.warnings[0]?.text ?? 'The file could not be read completely.', {
    exitCode: exit.code,
  });
}
