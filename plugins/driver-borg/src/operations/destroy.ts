import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { repositoryArgument } from '../location.js';
import { runToolOrThrow } from '../run-tool.js';
import { forget } from './forget.js';

export const destroy =
  (context: BorgContext): NonNullable<BackupDriver['destroy']> =>
  async (target, _input, options = {}) => {
    const command = {
      verb: ['delete'],
      args: [repositoryArgument(target.location)],
      writes: true,
      answers: { BORG_DELETE_I_KNOW_WHAT_I_AM_DOING: 'YES' },
    };
    const { warnings } = await runToolOrThrow({ context, target, command, options });
    await forget(context)(target);
    return { value: null, warnings };
  };
