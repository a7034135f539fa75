import { type BackupDriver, DriverError, type Encryption } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { repositoryArgument } from '../location.js';
import { parseToolTime } from '../parse/time.js';
import { runToolOrThrow } from '../run-tool.js';

interface ToolRepository {
  repository: { id: string; last_modified?: string };
  encryption: { mode: string };
  cache: { stats: { unique_csize: number } };
}

export const encryptions: readonly string[] = [
  'repokey',
  'keyfile',
  'repokey-blake2',
  'keyfile-blake2',
  'authenticated',
  'authenticated-blake2',
  'none',
] satisfies Encryption[];

export const open =
  (context: BorgContext): BackupDriver['open'] =>
  async (target, _input, options = {}) => {
    const command = { verb: ['info'], flags: ['--json'], args: [repositoryArgument(target.location)] };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    const { repository, encryption, cache } = parseAnswer<ToolRepository>(target, output);
    if (!encryptions.includes(encryption.mode))
      throw new DriverError(
        'not_a_repository',
        `The encryption "${encryption.mode}" of the repository is unknown.`,
      );
    const value = {
      id: repository.id,
      encryption: encryption.mode as Encryption,
      lastModified: repository.last_modified ? parseToolTime(repository.last_modified) : null,
      storedSize: cache.stats.unique_csize,
    };
    return { value, warnings };
  };
