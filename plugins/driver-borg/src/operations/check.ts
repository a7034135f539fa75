import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { mainMessage, sentence } from '../errors.js';
import { repositoryArgument } from '../location.js';
import { failure, runTool } from '../run-tool.js';

interface CheckInput {
  verifyData?: boolean;
  maxSeconds?: number;
  repair?: boolean;
}

function flagsOf({ verifyData = false, maxSeconds = 0, repair = false }: CheckInput): string[] {
  if (maxSeconds > 0 && (verifyData || repair))
    throw new DriverError('usage', 'A time-limited check can neither verify all data nor repair.');
  return [
    '--info',
    ...(maxSeconds > 0 ? ['--repository-only', `--max-duration=${Math.ceil(maxSeconds)}`] : []),
    ...(verifyData ? ['--verify-data'] : []),
    ...(repair ? ['--repair'] : []),
  ];
}

export const check =
  (context: BorgContext): NonNullable<BackupDriver['check']> =>
  async (target, input, options = {}) => {
    const args = [repositoryArgument(target.location)];
    const command = { verb: ['check'], flags: flagsOf(input), args, writes: true, progress: true };
    const { exit, outcome } = await runTool({ context, target, command, options });
    if ((exit.stopped && outcome !== 'ok') || outcome === 'failed')
      throw await failure({ context, target }, exit);
    const damagedArchives = exit.log.archiveDamage.names({ repaired: input.repair === true });
    if (outcome === 'warnings') {
      const message = mainMessage(exit) ?? 'The check found damage.';
      throw new DriverError('damaged', message, { exitCode: exit.code, archives: damagedArchives });
    }
    // Only a repair succeeds with errors: those that it repaired.
    const warnings = exit.log.errors.map(({ text }) => sentence(text));
    return { value: { partial: (input.maxSeconds ?? 0) > 0, damagedArchives }, warnings };
  };
