import type { StorageSession } from '../ports/storage.js';
import { type RepositoryRow, sshConnections } from '../schema/tables.js';

/**
 * What scripts are told of a repository; with the remote host that its data comes from, where it has one. Numbers
 * as text: an environment knows nothing else.
 */
export async function repositoryVariables(
  session: StorageSession,
  { id, name, path, source_connection_id }: RepositoryRow,
): Promise<Record<string, string>> {
  const own = {
    BK_UI_REPOSITORY_ID: `${id}`,
    BK_UI_REPOSITORY_NAME: name,
    BK_UI_REPOSITORY_PATH: path,
  };
  if (source_connection_id === null) return own;
  const [source] = await session.find(sshConnections, { where: { id: source_connection_id }, limit: 1 });
  if (!source) return own;
  return {
    ...own,
    BK_UI_SOURCE_HOST: source.host,
    BK_UI_SOURCE_PORT: `${source.port}`,
    BK_UI_SOURCE_USERNAME: source.username,
  };
}
