import type { ArchiveSummary, BackupDriver } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { repositoryArgument } from '../location.js';
import { archiveFormat, archiveSummary } from '../parse/archive-list.js';
import { type MadeArchive, signatureIn } from '../parse/signatures.js';
import { runToolOrThrow } from '../run-tool.js';

export const listArchives =
  (context: BorgContext): BackupDriver['listArchives'] =>
  async (target, { checkpoints = false }, options = {}) => {
    const { version } = await context.tool.version();
    const flags = [
      '--json',
      `--format=${archiveFormat}{command_line}`,
      ...(checkpoints ? ['--consider-checkpoints'] : []),
    ];
    const command = { verb: ['list'], flags, args: [repositoryArgument(target.location)] };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    const { archives } = parseAnswer<{ archives: MadeArchive[] }>(target, output);
    const value: ArchiveSummary[] = archives.map((each) => ({
      ...archiveSummary(each),
      ...signatureIn(each, { version, accepted: !target.expected }),
    }));
    return { value, warnings };
  };
