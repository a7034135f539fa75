import {
  type CreateArchiveResult,
  DriverError,
  type DriverResult,
  type PullArchiveInput,
} from '@holdfast/plugin-api/driver';
import type { Call } from '../command.js';
import { importTar } from './import-tar.js';
import type { SourceFacts } from './probe-source.js';
import { RefusedMembers } from './refused-members.js';
import { tarBytes } from './tar-bytes.js';
import { planTar, tarCommand } from './tar-command.js';
import { TarMessages } from './tar-messages.js';

type Place = Pick<Call, 'context' | 'target' | 'options'>;

/** The host sends its data as one tar stream, which becomes an archive here. */
export async function pullByTar(
  place: Place,
  { input, facts }: { input: PullArchiveInput; facts: SourceFacts },
): Promise<DriverResult<CreateArchiveResult>> {
  const { options } = place;
  const plan = planTar(input);
  refuse(plan.problems, facts, input);
  options.onLog?.({
    level: 'info',
    text:
      'The data comes as a tar stream: times are kept to the microsecond, extended attributes and ACLs are not ' +
      'kept, and all data is read and sent each time.',
  });
  if (plan.unused.length > 0)
    options.onLog?.({ level: 'warning', text: `Of no effect for a tar stream: ${plan.unused.join(', ')}` });
  const process = await input.host.run(tarCommand(plan, facts.present), {
    ...(options.signal ? { signal: options.signal } : {}),
  });
  process.stdin.end();
  process.exit.catch(() => {}); // Told by the stream.
  const messages = new TarMessages(options.onLog);
  const refused = new RefusedMembers(options.onLog);
  const said = messages.read(process.stderr).catch(() => {});
  try {
    const tar = refused.without(tarBytes(process, messages));
    const made = await importTar(place, { ...input, flags: plan.tool, tar });
    await said;
    return { value: made.value, warnings: [...refused.all(), ...made.warnings, ...messages.all()] };
  } finally {
    process.stdout.destroy();
    process.stderr.destroy();
  }
}

function refuse(problems: string[], { tar }: SourceFacts, { host }: PullArchiveInput): void {
  if (problems.length > 0) throw new DriverError('usage', problems.join(' '));
  if (!tar.includes('GNU tar'))
    throw new DriverError(
      'failed',
      `${host.name} has no GNU tar (found: ${tar || 'none'}). Install it there.`,
    );
}
