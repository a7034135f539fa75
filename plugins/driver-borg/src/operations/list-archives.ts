import type { ArchiveSummary, BackupDriver } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { repositoryArgument } from '../location.js';
import { archiveFormat, archiveSummary } from '../parse/archive-list.js';
import { checksSignatures, type MadeArchive, signatureOf } from '../parse/signatures.js';
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
    // A newer borg refuses the list if one is not valid, unless it was told to accept that.
    const value: ArchiveSummary[] = archives.map((each) => ({
      ...archiveSummary(each),
      ...(checksSignatures(version)
        ? target.expected && { signature: 'valid' as const }
        : { signature: signatureOf(each) }),
    }));
    return { value, warnings };
  };
