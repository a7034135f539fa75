import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { repositoryArgument } from '../location.js';
import { parseFreedBytes } from '../parse/sizes.js';
import { runToolOrThrow } from '../run-tool.js';

export const compact =
  (context: BorgContext): BackupDriver['compact'] =>
  async (target, _input, options = {}) => {
    const args = [repositoryArgument(target.location)];
    const command = { verb: ['compact'], flags: ['--info'], args, writes: true, progress: true };
    const { exit, warnings } = await runToolOrThrow({ context, target, command, options });
    const freed = exit.log.infos.map(({ text }) => parseFreedBytes(text)).find((bytes) => bytes !== null);
    // The tool rewrites the list of archives first, so there is always something to free.
    return { value: { freedBytes: freed ?? null, appendOnly: freed === undefined }, warnings };
  };
