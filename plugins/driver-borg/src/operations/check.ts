import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { mainMessage, sentence, unsignedArchives } from '../errors.js';
import { repositoryArgument } from '../location.js';
import { failure, runTool, type ToolRun } from '../run-tool.js';

type Check = NonNullable<BackupDriver['check']>;
type CheckInput = Parameters<Check>[1];
type Place = { context: BorgContext; target: Parameters<Check>[0]; options: Parameters<Check>[2] & {} };

function flagsOf({ verifyData = false, maxSeconds = 0, repair = false }: CheckInput): string[] {
  if (maxSeconds > 0 && (verifyData || repair))
    throw new DriverError('usage', 'A time-limited check can neither verify all data nor repair.');
  return [
    ...(maxSeconds > 0 ? ['--repository-only', `--max-duration=${Math.ceil(maxSeconds)}`] : []),
    ...(verifyData ? ['--verify-data'] : []),
  ];
}

export const check =
  (context: BorgContext): Check =>
  async (target, input, options = {}) => {
    const flags = flagsOf(input);
    const place = { context, target, options };
    if (input.repair) return repair(place, input, flags);
    const partial = (input.maxSeconds ?? 0) > 0;
    const first = await run(place, flags);
    const remarks = judge(first);
    // The tool leaves out the archives after any message about the repository.
    const second = remarks.length > 0 && !partial ? await run(place, ['--archives-only', ...flags]) : first;
    const warnings = [...new Set([...remarks, ...judge(second)])];
    return { value: { partial, damagedArchives: damagedIn(second, false) }, warnings };
  };

/** In steps, so that the archives that it deletes are known before. */
async function repair(place: Place, { mayDelete = [] }: CheckInput, flags: string[]): ReturnType<Check> {
  const first = await run(place, ['--repair', '--repository-only']);
  const plan = await run(place, ['--archives-only', ...flags]);
  const { gone, unsigned } = plan.exit.log.findings;
  if (unsigned.size > 0) throw unsignedArchives([...unsigned]);
  const wouldDelete = [...gone].filter((name) => !mayDelete.includes(name));
  if (wouldDelete.length > 0)
    throw new DriverError('damaged', `A repair would delete these archives: ${wouldDelete.join(', ')}.`, {
      exitCode: plan.exit.code,
      archives: damagedIn(plan, false),
      wouldDelete,
    });
  const second = await run(place, ['--repair', '--archives-only', ...flags]);
  // Only a repair succeeds with errors: those that it repaired.
  const warnings = [first, second].flatMap(({ exit }) => exit.log.errors.map(({ text }) => sentence(text)));
  return { value: { partial: false, damagedArchives: damagedIn(second, true) }, warnings };
}

const damagedIn = ({ exit }: ToolRun, repaired: boolean): string[] => exit.log.findings.damaged({ repaired });

async function run({ context, target, options }: Place, flags: string[]): Promise<ToolRun> {
  const args = [repositoryArgument(target.location)];
  const command = { verb: ['check'], flags: ['--info', ...flags], args, writes: true, progress: true };
  const done = await runTool({ context, target, command, options });
  const { exit, outcome } = done;
  if ((exit.stopped && outcome !== 'ok') || outcome === 'failed')
    throw await failure({ context, target }, exit);
  return done;
}

/** Remarks, which mean no damage. Throws DriverError `damaged`, `archive_unsigned`, or `failed` for what is unknown. */
function judge(done: ToolRun): string[] {
  const { exit, outcome } = done;
  if (outcome !== 'warnings') return [];
  const { kinds, unsigned, gone } = exit.log.findings;
  const message = mainMessage(exit) ?? 'The check ended with a warning but gave no reason.';
  const archives = damagedIn(done, false);
  if (kinds.has('damage'))
    throw new DriverError('damaged', message, { exitCode: exit.code, archives, wouldDelete: [...gone] });
  if (kinds.has('unsigned')) throw unsignedArchives([...unsigned]);
  if (kinds.has('unknown') || kinds.size === 0)
    throw new DriverError('failed', message, { exitCode: exit.code });
  return exit.log.errors.map(({ text }) => sentence(text));
}
