import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { archiveArgument } from '../location.js';
import { archiveDetails, type ToolArchiveDetails } from '../parse/archive-list.js';
import { runToolOrThrow } from '../run-tool.js';

export const archiveInfo =
  (context: BorgContext): BackupDriver['archiveInfo'] =>
  async (target, { archive }, options = {}) => {
    const command = { verb: ['info'], flags: ['--json'], args: [archiveArgument(target.location, archive)] };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    const found = parseAnswer<{ archives: ToolArchiveDetails[] }>(target, output).archives[0];
    if (found === undefined) throw new DriverError('archive_missing', 'There is no archive with this name.');
    return { value: archiveDetails(found), warnings };
  };
