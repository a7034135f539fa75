import type {
  CreateArchiveResult,
  DriverError,
  DriverResult,
  HostProcess,
  PullArchiveInput,
} from '@holdfast/plugin-api/driver';
import { type Call, startTool } from '../command.js';
import { errorOf, warningsOf } from '../errors.js';
import { outcomeOf } from '../exit-codes.js';
import { feed } from '../feed.js';
import { lockedError } from '../locks/locked-error.js';
import { ToolLog } from '../parse/tool-log.js';
import type { ToolExit } from '../process.js';
import { archiveMade } from './archive-made.js';
import type { SourceFacts } from './probe-source.js';
import { hostCommand } from './tool-on-host.js';

type Place = Pick<Call, 'context' | 'target' | 'options'>;

/** The tool on the host writes into this repository, which is served to it alone and append-only. */
export async function pullByTool(
  place: Place,
  { input, facts, view }: { input: PullArchiveInput; facts: SourceFacts; view: readonly string[] },
): Promise<DriverResult<CreateArchiveResult>> {
  const { target, options } = place;
  options.onLog?.({
    level: 'info',
    text: `${facts.tool} on ${input.host.name} reads the data and writes it here.`,
  });
  const command = [...view, ...hostCommand(place, { ...input, sources: facts.present })];
  const process = await input.host.run(command, { ...(options.signal ? { signal: options.signal } : {}) });
  process.stdin.write(`${target.passphrase ?? ''}\n`);
  const exit = await talk(place, process);
  const outcome = outcomeOf(exit);
  if (outcome === 'failed' || (exit.stopped && outcome !== 'ok')) throw await hostFailure(place, exit);
  return {
    value: { ...(await archiveMade(place, input.name)), ...exit.log.unread.found },
    warnings: outcome === 'warnings' ? warningsOf(exit) : [],
  };
}

/** Connects the tool on the host to a serving one here until both have ended. */
async function talk(place: Place, process: HostProcess): Promise<ToolExit> {
  const { target, options } = place;
  const log = new ToolLog(options);
  const reading = readLog(process, log);
  const exit = process.exit.then(
    (end) => ({ end }),
    (error: DriverError) => ({ error }),
  );
  try {
    const serving = await startTool({
      ...place,
      target: { ...target, passphrase: null, keyFile: null },
      command: {
        verb: ['serve'],
        flags: ['--append-only', `--restrict-to-repository=${target.location}`],
        args: [],
        input: process.stdout,
      },
    });
    serving.stdout.pipe(process.stdin);
    const [ended] = await Promise.all([exit, feed(serving, process.stdout), serving.ended]);
    await reading;
    if ('error' in ended) throw ended.error;
    const stopped = options.signal?.aborted === true;
    return { ...ended.end, signal: ended.end.signal as ToolExit['signal'], stopped, spawnError: null, log };
  } finally {
    process.stdin.destroy();
    process.stdout.destroy();
    process.stderr.destroy();
  }
}

async function readLog(process: HostProcess, log: ToolLog): Promise<void> {
  process.stderr.setEncoding('utf8');
  try {
    for await (const piece of process.stderr as AsyncIterable<string>) log.push(piece);
  } catch {
    // The process's own exit reports the end of the connection.
  }
  log.end();
}

function hostFailure(place: Place, exit: ToolExit): Promise<DriverError> | DriverError {
  const error = errorOf(exit);
  return error.kind === 'locked' ? lockedError(place, error) : error;
}
