import type { ArchiveSummary, BackupDriver } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { repositoryArgument } from '../location.js';
import { archiveFormat, archiveSummary, type ToolArchive } from '../parse/archive-list.js';
import { runToolOrThrow } from '../run-tool.js';

export const listArchives =
  (context: BorgContext): BackupDriver['listArchives'] =>
  async (target, { checkpoints = false }, options = {}) => {
    const flags = ['--json', `--format=${archiveFormat}`, ...(checkpoints ? ['--consider-checkpoints'] : [])];
    const command = { verb: ['list'], flags, args: [repositoryArgument(target.location)] };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    const { archives } = parseAnswer<{ archives: ToolArchive[] }>(target, output);
    const value: ArchiveSummary[] = archives.map(archiveSummary);
    return { value, warnings };
  };
