import type { CreateArchiveResult, DriverResult, PullArchiveInput } from '@holdfast/plugin-api/driver';
import { asDriverError, type Call } from '../command.js';
import { warningsOf } from '../errors.js';
import { archiveArgument } from '../location.js';
import { failure, runTool } from '../run-tool.js';
import { archiveMade } from './archive-made.js';

type Place = Pick<Call, 'context' | 'target' | 'options'>;
type Input = Pick<PullArchiveInput, 'name' | 'comment' | 'compression'> & {
  flags: string[];
  /** Ends only if it is complete; otherwise it throws. */
  tar: AsyncIterable<Buffer>;
};

/**
 * Creates an archive from a tar stream; an incomplete stream leaves none. The tool takes any end of its input for the
 * end of the data, so it gets that end only after a complete stream. The archive is made under its final name: borg
 * before 1.2.5 leaves an invalid signature when it renames one.
 */
export async function importTar(place: Place, input: Input): Promise<DriverResult<CreateArchiveResult>> {
  const { context, target, options } = place;
  const { name, comment, compression, flags, tar } = input;
  const command = {
    verb: ['import-tar'],
    // Unlike `create`, this command takes a comment literally.
    flags: [`--comment=${comment}`, `--compression=${compression}`, ...flags],
    args: [archiveArgument(target.location, name), '-'],
    writes: true,
    progress: true,
    input: tar,
  };
  const { exit, outcome, inputError } = await runTool({ ...place, command });
  const failed = outcome === 'failed' || (exit.stopped && outcome !== 'ok');
  if (inputError !== null && !options.signal?.aborted && (exit.stopped || !failed))
    throw asDriverError(inputError);
  if (failed) throw await failure({ context, target }, exit);
  const warnings = outcome === 'warnings' ? warningsOf(exit) : [];
  return { value: await archiveMade(place, name), warnings };
}
