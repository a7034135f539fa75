import type { IndexState } from '@holdfast/contracts';
import { findRepository, type RepositorySelector } from '../../repositories/index.js';
import { archives } from '../../repositories/tables.js';
import type { ArchivesNeeds } from '../needs.js';
import { indexOf } from './remember.js';

/** How much of a repository is indexed on this instance. Throws AppError `not_found`. */
export async function getIndexState(
  needs: Pick<ArchivesNeeds, 'storage' | 'indexes' | 'log'>,
  selector: RepositorySelector,
): Promise<IndexState> {
  const repository = await findRepository(needs.storage, selector);
  const indexed = await indexOf(needs, repository);
  const rows = await needs.storage.find(archives, { where: { repository_id: repository.id } });
  const sizes = indexed ? await needs.indexes.sizes() : new Map<string, number>();
  return {
    success: true,
    repository_id: repository.id,
    enabled: needs.indexes.maxBytes > 0,
    archives: rows.length,
    indexed_archives: rows.filter(({ tool_id }) => indexed?.holds.has(tool_id)).length,
    bytes: sizes.get(repository.tool_id) ?? 0,
    total_bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    max_bytes: needs.indexes.maxBytes,
  };
}
