import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { repositoryArgument } from '../location.js';
import { acceptUnsigned, runToolOrThrow } from '../run-tool.js';

const added = /^Added archive TAM: +(.+?) +\w{3}, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[[0-9a-f]{64}\].*$/gm;

/** Before 1.2.5, borg neither signs archives afterwards nor refuses those without a signature. */
const canSign = (version: string): boolean => /^1\.(2\.([5-9]|\d\d)|[3-9])/.test(version);

export const signArchives =
  (context: BorgContext): NonNullable<BackupDriver['signArchives']> =>
  async (target, _input, options = {}) => {
    const { version, line } = await context.tool.version();
    if (!canSign(version))
      throw new DriverError(
        'tool_too_old',
        `${line} can't sign archives. Install borg 1.2.5 or later; ${line} reads archives without a signature.`,
      );
    const command = {
      verb: ['upgrade'],
      flags: ['--archives-tam', '--info'],
      args: [repositoryArgument(target.location)],
      writes: true,
      answers: acceptUnsigned,
    };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    return { value: { signed: [...output.matchAll(added)].map(([, name = '']) => name) }, warnings };
  };
