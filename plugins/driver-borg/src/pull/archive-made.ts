import type { CreateArchiveResult } from '@holdfast/plugin-api/driver';
import type { Call } from '../command.js';
import { parseAnswer } from '../identity/other-repository.js';
import { archiveArgument } from '../location.js';
import { archiveDetails, type ToolArchiveDetails } from '../parse/archive-list.js';
import { runToolOrThrow } from '../run-tool.js';

interface ToolInfo {
  archives: ToolArchiveDetails[];
  cache?: { stats?: { unique_csize?: number } };
}

/** What the repository itself reports about an archive that was just created. */
export async function archiveMade(place: Omit<Call, 'command'>, name: string): Promise<CreateArchiveResult> {
  const command = {
    verb: ['info'],
    flags: ['--json'],
    args: [archiveArgument(place.target.location, name)],
  };
  const { output } = await runToolOrThrow({ ...place, command });
  const info = parseAnswer<ToolInfo>(place.target, output);
  const { stats, ...archive } = archiveDetails(info.archives[0] as ToolArchiveDetails);
  return { archive, stats, repositoryStoredSize: info.cache?.stats?.unique_csize ?? null };
}
