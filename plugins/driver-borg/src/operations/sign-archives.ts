import {
  type ArchiveSummary,
  type BackupDriver,
  type DriverResult,
  isDriverError,
  type OperationOptions,
} from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { archiveArgument, assertText, literal, repositoryArgument } from '../location.js';
import { checksSignatures } from '../parse/signatures.js';
import { acceptUnsigned, runToolOrThrow } from '../run-tool.js';
import { archiveInfo } from './archive-info.js';
import { listArchives } from './list-archives.js';

type Sign = NonNullable<BackupDriver['signArchives']>;
type Input = Parameters<Sign>[1];
type Place = { context: BorgContext; target: Parameters<Sign>[0]; options: OperationOptions };

const added = /^Added archive TAM: +(.+?) +\w{3}, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[[0-9a-f]{64}\].*$/gm;

export const signArchives =
  (context: BorgContext): Sign =>
  async (target, input, options = {}) => {
    const { version } = await context.tool.version();
    if (!checksSignatures(version)) return makeAnew({ context, target, options }, input);
    const command = {
      verb: ['upgrade'],
      flags: ['--archives-tam', '--info'],
      args: [repositoryArgument(target.location)],
      writes: true,
      answers: acceptUnsigned,
    };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    for (const [, name = ''] of output.matchAll(added)) input.onSigned(name);
    return { value: null, warnings };
  };

/** The name of a copy: that of the archive, and the beginning of its id. */
const copyName = /^(.+)\.signing-([0-9a-f]{12})$/s;

/**
 * Before 1.2.5, borg signs only what it makes under a new name: a copy, and from that the archive again. Copies share
 * all data. What is there shows how far an earlier signing came, so that this one goes on from there.
 */
async function makeAnew(place: Place, { archives, onSigned }: Input): Promise<DriverResult<null>> {
  const { context, target, options } = place;
  const { value: listed } = await listArchives(context)(target, {}, options);
  const present = new Map(listed.map((archive) => [archive.name, archive]));
  const begun = [...present.keys()].filter((name) => copyName.test(name));
  const others = archives.flatMap((name) => {
    const id = present.get(name)?.id.slice(0, 12);
    const isBegun = copyName.test(name) || begun.some((copy) => copyName.exec(copy)?.[1] === name);
    return id === undefined || isBegun ? [] : [`${name}.signing-${id}`];
  });
  const warnings: string[] = [];
  const copies = [...begun, ...others];
  for (const [index, copy] of copies.entries()) {
    const [, name = ''] = copyName.exec(copy) ?? [];
    options.onProgress?.({ current: index, total: copies.length, message: name });
    try {
      const problem = await replace(place, { copy, present });
      if (problem === null) onSigned(name);
      else warnings.push(problem);
    } catch (error) {
      if (!isDriverError(error, 'usage') && !isDriverError(error, 'failed')) throw error;
      warnings.push(`${name} was not signed: ${error.message}`);
    }
  }
  return { value: null, warnings };
}

/** At any instant, the archive or its copy is there. Resolves to why it was left as it is, or null. */
async function replace(
  place: Place,
  { copy, present }: { copy: string; present: ReadonlyMap<string, ArchiveSummary> },
): Promise<string | null> {
  const { context, target, options } = place;
  const [, name = '', id = ''] = copyName.exec(copy) ?? [];
  const original = present.get(name);
  const made = present.get(copy);
  if (original && made && !isCopy(original, made))
    return `${copy} is what a signing left of an archive, but ${name} is another one now: rename or delete one of them.`;
  // From here on the archive is not left half done, unless the service ends.
  const { signal: _, ...toTheEnd } = options;
  const isUnsigned = original?.id.startsWith(id) === true;
  const source = original ?? made;
  if (!source) return null;
  const { value } = await archiveInfo(context)(target, { archive: source.name }, options);
  const recreate = (from: string, to: string, given: OperationOptions) =>
    run({ ...place, options: given }, 'recreate', {
      // Without them, borg records its default, whatever the chunks of the archive are.
      flags: [
        `--target=${literal(to)}`,
        ...(value.chunkerParams.length > 0 ? [`--chunker-params=${value.chunkerParams.join(',')}`] : []),
      ],
      args: [archiveArgument(target.location, from)],
      ...(source.username ? { answers: { LOGNAME: source.username } } : {}),
    });
  // Unlike a location, this name is literal, without placeholders.
  const remove = (archive: string) =>
    run({ ...place, options: toTheEnd }, 'delete', { args: [repositoryArgument(target.location), archive] });
  assertText(copy, 'name of the archive');
  if (!made) await recreate(name, copy, options);
  if (isUnsigned) await remove(name);
  if (!original || isUnsigned) await recreate(copy, name, toTheEnd);
  await remove(copy);
  return null;
}

const run = (
  place: Place,
  verb: string,
  command: { args: string[]; flags?: string[]; answers?: Record<string, string> },
) => runToolOrThrow({ ...place, command: { verb: [verb], writes: true, ...command } });

const isCopy = (one: ArchiveSummary, other: ArchiveSummary): boolean =>
  (['start', 'end', 'comment'] as const).every((key) => one[key] === other[key]);
