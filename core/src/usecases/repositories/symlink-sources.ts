import { symlinkRemark } from '../../domain/found-source.js';
import type { RepositoryRow } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

type Given = Pick<RepositoryRow, 'source_directories' | 'source_connection_id'>;

/** What is to be known of sources that are symlinks on this machine; those of other hosts are looked at when they run. */
export async function symlinkSources(
  { files }: Pick<Dependencies, 'files'>,
  { source_directories, source_connection_id }: Given,
): Promise<string[]> {
  if (source_connection_id !== null) return [];
  const found = await Promise.all(source_directories.map((path) => files.lookAt(path)));
  return found.filter(({ state }) => state === 'symlink').map(symlinkRemark);
}
