import type { CreateArchiveResult, DriverResult, PullArchiveInput } from '@holdfast/plugin-api/driver';
import { asDriverError, type Call } from '../command.js';
import { warningsOf } from '../errors.js';
import { archiveArgument, literal } from '../location.js';
import { deleteArchives } from '../operations/delete-archives.js';
import { failure, runTool, runToolOrThrow } from '../run-tool.js';
import { archiveMade } from './archive-made.js';

type Place = Pick<Call, 'context' | 'target' | 'options'>;
type Input = Pick<PullArchiveInput, 'name' | 'comment' | 'compression'> & {
  flags: string[];
  /** Ends only if it is complete; otherwise it throws. */
  tar: AsyncIterable<Buffer>;
};

/**
 * Creates an archive from a tar stream; an incomplete stream leaves none. The tool accepts any end of its input, even
 * one caused by the death of this process. So the archive counts as unfinished until the whole stream is known to be
 * in it.
 */
export async function importTar(place: Place, input: Input): Promise<DriverResult<CreateArchiveResult>> {
  const draft = `${input.name}.checkpoint`;
  const warnings = await importDraft(place, { ...input, name: draft });
  const { location } = place.target;
  const args = [archiveArgument(location, draft), literal(input.name)];
  await runToolOrThrow({ ...place, command: { verb: ['rename'], args, writes: true } });
  return { value: await archiveMade(place, input.name), warnings };
}

async function importDraft(
  place: Place,
  { name, comment, compression, flags, tar }: Input,
): Promise<string[]> {
  const { context, target, options } = place;
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
  if (inputError === null || options.signal?.aborted) {
    if (failed) throw await failure({ context, target }, exit);
    return outcome === 'warnings' ? warningsOf(exit) : [];
  }
  if (failed && !exit.stopped) throw await failure({ context, target }, exit);
  if (!failed) await deleteArchives(context)(target, { archives: [name] }, options);
  throw asDriverError(inputError);
}
