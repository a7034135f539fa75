import type { LostFiles } from '@holdfast/contracts';
import { archives, type RepositoryRow } from '../../repositories/tables.js';
import { type ArchiveNeeds, type ArchiveSelector, escaped, findArchive } from '../archives.js';
import type { ArchivesNeeds } from '../needs.js';
import { indexOf } from './remember.js';

type Needs = Pick<ArchivesNeeds, 'storage' | 'indexes' | 'log'>;

/**
 * The files that no archive would have any more without these, by ids of the tool. Null when there is no index. Archives
 * that are not indexed count for nothing: their number is in the answer.
 */
export async function lostFiles(
  needs: Needs,
  repository: Pick<RepositoryRow, 'id' | 'tool_id'>,
  removed: readonly string[],
  signal?: AbortSignal,
): Promise<LostFiles | null> {
  const indexed = await indexOf(needs, repository);
  if (!indexed) return null;
  const rows = await needs.storage.find(archives, { where: { repository_id: repository.id } });
  const nameOf = new Map(rows.map(({ tool_id, name }) => [tool_id, name]));
  // An archive that is gone does not keep a file.
  const gone = [...indexed.holds].filter((id) => !nameOf.has(id));
  const { files, bytes, largest, folders } = await indexed.index.lost([...removed, ...gone], signal);
  return {
    files,
    bytes,
    largest: largest.map(({ path, size, archive }) => ({
      ...escaped({ path }),
      size,
      archive: nameOf.get(archive) ?? '',
    })),
    folders: folders.map((folder) => ({ ...folder, ...escaped({ path: folder.path }) })),
    not_indexed: rows.filter(({ tool_id }) => !indexed.holds.has(tool_id)).length,
  };
}

/** What would be lost with one archive. Throws AppError `not_found`. */
export async function lostWithArchive(
  needs: ArchiveNeeds & Needs,
  selector: ArchiveSelector,
  signal?: AbortSignal,
): Promise<{ success: true; archive: string; lost: LostFiles | null }> {
  const { repository, archive } = await findArchive(needs, selector);
  const lost = await lostFiles(needs, repository, [archive.tool_id], signal);
  return { success: true, archive: archive.name, lost };
}
