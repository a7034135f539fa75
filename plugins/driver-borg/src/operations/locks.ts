import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { repositoryArgument } from '../location.js';
import { describeLockHolder } from '../locks/lock-holder.js';
import { runToolOrThrow } from '../run-tool.js';

export const lockHolder =
  ({ locks }: BorgContext): BackupDriver['lockHolder'] =>
  (target) =>
    describeLockHolder(target.location, locks);

export const breakLock =
  (context: BorgContext): BackupDriver['breakLock'] =>
  async (target, _input, options = {}) => {
    const command = { verb: ['break-lock'], args: [repositoryArgument(target.location)], writes: true };
    const { warnings } = await runToolOrThrow({ context, target, command, options });
    return { value: null, warnings };
  };
