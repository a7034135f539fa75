import { type BackupDriver, DriverError, type Encryption } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { repositoryArgument } from '../location.js';
import { parseToolTime } from '../parse/time.js';
import { runToolOrThrow } from '../run-tool.js';

/** What every answer says of its repository. */
export interface ToolRepository {
  repository: { id: string; last_modified?: string };
  encryption: { mode: string };
}

const encryptions: readonly string[] = [
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
    const answer = parseAnswer<ToolRepository & { cache: { stats: { unique_csize: number } } }>(
      target,
      output,
    );
    return { value: { ...identityOf(answer), storedSize: answer.cache.stats.unique_csize }, warnings };
  };

export function identityOf({ repository, encryption: { mode } }: ToolRepository) {
  if (!encryptions.includes(mode))
    throw new DriverError('not_a_repository', `The encryption "${mode}" of the repository is unknown.`);
  return {
    id: repository.id,
    encryption: mode as Encryption,
    lastModified: repository.last_modified ? parseToolTime(repository.last_modified) : null,
  };
}
