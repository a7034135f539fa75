import { type BackupDriver, DriverError, type Encryption } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { repositoryArgument } from '../location.js';
import { archiveFormat, archiveSummary, type ToolArchive } from '../parse/archive-list.js';
import { parseToolTime } from '../parse/time.js';
import { runToolOrThrow } from '../run-tool.js';
import { encryptions } from './open.js';

interface ToolAnswer {
  archives: (ToolArchive & { command_line?: string | string[] })[];
  repository: { id: string; last_modified?: string };
  encryption: { mode: string };
}

/** Unlike `info`, `list` needs no cache of the repository, which takes long to build for a new one. */
export const look =
  (context: BorgContext): NonNullable<BackupDriver['look']> =>
  async (target, _input, options = {}) => {
    const flags = ['--json', `--format=${archiveFormat}{command_line}`, '--consider-checkpoints'];
    const firstLook = target.expected === undefined;
    const command = { verb: ['list'], flags, args: [repositoryArgument(target.location)], firstLook };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    const { archives, repository, encryption } = parseAnswer<ToolAnswer>(target, output);
    if (!encryptions.includes(encryption.mode))
      throw new DriverError(
        'not_a_repository',
        `The encryption "${encryption.mode}" of the repository is unknown.`,
      );
    const value = {
      id: repository.id,
      encryption: encryption.mode as Encryption,
      lastModified: repository.last_modified ? parseToolTime(repository.last_modified) : null,
      archives: archives.map((archive) => ({
        ...archiveSummary(archive),
        commandLine: [archive.command_line ?? []].flat(),
      })),
    };
    return { value, warnings };
  };
