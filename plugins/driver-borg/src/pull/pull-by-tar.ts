import {
  type CreateArchiveResult,
  DriverError,
  type DriverResult,
  type PullArchiveInput,
} from '@holdfast/plugin-api/driver';
import type { Call } from '../command.js';
import { importTar } from './import-tar.js';
import type { SourceFacts } from './probe-source.js';
import { RejectedMembers } from './rejected-members.js';
import { type Spooled, spool } from './spooled-streams.js';
import { tarBytes } from './tar-bytes.js';
import { planTar, tarCommand } from './tar-command.js';
import { TarMessages } from './tar-messages.js';

type Place = Pick<Call, 'context' | 'target' | 'options'>;

/** The host sends its data as one tar stream, which becomes an archive here. */
export async function pullByTar(
  place: Place,
  { input, facts, view }: Pick<Import, 'input' | 'facts' | 'view'>,
): Promise<DriverResult<CreateArchiveResult>> {
  const { options } = place;
  const plan = planTar(input);
  assertPossible(plan.problems, facts, input);
  options.onLog?.({
    level: 'info',
    text:
      'The data is sent as a tar stream: times are kept to the microsecond, extended attributes and ACLs are not ' +
      'kept, and all data is read and sent each time.',
  });
  if (plan.unused.length > 0)
    options.onLog?.({ level: 'warning', text: `No effect on a tar stream: ${plan.unused.join(', ')}` });
  const spooled = await spool(
    place.context,
    input.streams ?? [],
    options.signal ?? new AbortController().signal,
  );
  try {
    return await importFrom(place, { input, facts, view, plan, spooled });
  } finally {
    await spooled.remove();
  }
}

interface Import {
  input: PullArchiveInput;
  facts: SourceFacts;
  view: readonly string[];
  plan: ReturnType<typeof planTar>;
  spooled: Spooled;
}

async function importFrom(
  place: Place,
  { input, facts, view, plan, spooled }: Import,
): Promise<DriverResult<CreateArchiveResult>> {
  const { options } = place;
  const until = options.signal ? { signal: options.signal } : {};
  const process = await input.host.run([...view, ...tarCommand(plan, facts.present)], until);
  process.stdin.end();
  process.exit.catch(() => {}); // The stream reports it.
  const messages = new TarMessages(options.onLog);
  const rejected = new RejectedMembers(options.onLog);
  const reading = messages.read(process.stderr).catch(() => {});
  try {
    const tar = joined(spooled.members(), rejected.without(tarBytes(process, messages)));
    const made = await importTar(place, { ...input, flags: plan.tool, tar });
    await reading;
    const value = { ...made.value, ...messages.unread.found };
    return { value, warnings: [...rejected.all(), ...made.warnings, ...messages.all()] };
  } finally {
    process.stdout.destroy();
    process.stderr.destroy();
  }
}

async function* joined(...parts: AsyncGenerator<Buffer>[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* part;
}

function assertPossible(problems: string[], { tar }: SourceFacts, { host }: PullArchiveInput): void {
  if (problems.length > 0) throw new DriverError('usage', problems.join(' '));
  if (!tar.includes('GNU tar'))
    throw new DriverError(
      'failed',
      `${host.name} has no GNU tar (found: ${tar || 'none'}). Install it there.`,
    );
}
