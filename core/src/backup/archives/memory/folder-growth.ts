import type { FolderGrowth } from '@holdfast/contracts';
import { isoTime, notFound, say } from '../../../foundation/kernel/index.js';
import { currentInventory, findRepository, type RepositorySelector } from '../../repositories/index.js';
import type { ArchiveRow } from '../../repositories/tables.js';
import { parseArchivePath } from '../archive-path.rules.js';
import { type ArchiveNeeds, escaped } from '../archives.js';
import type { ArchivesNeeds } from '../needs.js';
import { indexOf } from './remember.js';

const dayMs = 86_400_000;
const mostShown = 100;

/**
 * How the folders below `path` grew in the last days: between the newest indexed archive and the one that was the newest
 * then, of the same kind. Throws AppError `not_found` without an index or a second archive.
 */
export async function getFolderGrowth(
  needs: ArchiveNeeds & Pick<ArchivesNeeds, 'indexes'>,
  { days, path: asked, ...selector }: RepositorySelector & { days: number; path: string },
  signal?: AbortSignal,
): Promise<FolderGrowth> {
  const path = parseArchivePath(asked, 'path');
  const found = await findRepository(needs.storage, selector);
  const { repository, archives } = await currentInventory(needs, found, { knownOnly: true });
  const indexed = await indexOf(needs, repository);
  const known = archives.filter(({ tool_id }) => indexed?.holds.has(tool_id));
  const to = known.at(-1);
  const from = to && earlier(known, to, needs.clock.now() - days * dayMs);
  if (!indexed || !to || !from)
    throw notFound(
      say`growth_needs_archives: The growth of folders needs two indexed archives of repository ${{ repository: repository.name }}: wait until the index has been built.`,
    );
  const growth = await indexed.index.growth(
    { before: from.tool_id, after: to.tool_id, parent: path },
    signal,
  );
  return {
    success: true,
    from: archiveOf(from),
    to: archiveOf(to),
    ...escaped({ path }),
    folders: growth.slice(0, mostShown).map((folder) => ({ ...folder, ...escaped({ path: folder.path }) })),
    complete: growth.length <= mostShown,
    not_indexed: archives.length - known.length,
  };
}

const archiveOf = ({ name, start }: ArchiveRow) => ({ archive: name, start: isoTime(start) });

/** The newest one before the instant, or else the oldest one, with the same schedule and host. */
function earlier(archives: readonly ArchiveRow[], to: ArchiveRow, before: number): ArchiveRow | undefined {
  const same = archives.filter(
    (row) => row.id !== to.id && row.schedule_id === to.schedule_id && row.hostname === to.hostname,
  );
  return same.filter(({ start }) => start <= before).at(-1) ?? same[0];
}
