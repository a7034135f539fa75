import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { repositoryArgument } from '../location.js';
import { archiveFormat, archiveSummary } from '../parse/archive-list.js';
import { type MadeArchive, signatureIn } from '../parse/signatures.js';
import { runToolOrThrow } from '../run-tool.js';
import { identityOf, type ToolRepository } from './open.js';

interface ToolAnswer extends ToolRepository {
  archives: MadeArchive[];
}

/** Unlike `info`, `list` needs no cache of the repository, which takes long to build for a new one. */
export const look =
  (context: BorgContext): NonNullable<BackupDriver['look']> =>
  async (target, _input, options = {}) => {
    const flags = ['--json', `--format=${archiveFormat}{command_line}`, '--consider-checkpoints'];
    const { version } = await context.tool.version();
    const firstLook = target.expected === undefined;
    const command = { verb: ['list'], flags, args: [repositoryArgument(target.location)], firstLook };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    const answer = parseAnswer<ToolAnswer>(target, output);
    const archives = answer.archives.map((archive) => ({
      ...archiveSummary(archive),
      ...signatureIn(archive, { version, accepted: firstLook }),
      commandLine: [archive.command_line ?? []].flat(),
    }));
    return { value: { ...identityOf(answer), archives }, warnings };
  };
