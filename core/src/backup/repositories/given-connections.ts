import type { RepositoryChanges } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { invalid, notFound, say } from '../../foundation/kernel/index.js';
import { type SshConnectionRow, sshConnections } from '../ssh/tables.js';
import type { RepositoriesNeeds } from './needs.js';
import { parseCustomFlags } from './repository.rules.js';
import type { RepositoryRow } from './tables.js';

type Field = 'connection_id' | 'source_connection_id';

/** The connection to the repository, or null for a local one. Throws AppError `not_found`. */
export const placeConnection = (
  session: StorageSession,
  { connection_id }: Pick<RepositoryChanges, 'connection_id'>,
): Promise<SshConnectionRow | null> => find(session, 'connection_id', connection_id);

/**
 * Checks the connection to the sources. Throws AppError `not_found` for an unknown connection, `invalid` when the
 * settings do not work with a pull.
 */
export async function checkSourceConnection(
  { storage, driver }: Pick<RepositoriesNeeds, 'storage' | 'driver'>,
  settings: Pick<RepositoryRow, 'source_connection_id' | 'exclude_patterns' | 'custom_flags'>,
): Promise<void> {
  const connection = await find(storage, 'source_connection_id', settings.source_connection_id);
  if (connection === null) return;
  if (!driver.pullArchive)
    throw invalid(
      say`source_connection_unsupported: source_connection_id: the backup driver can only back up local data.`,
    );
  if (connection.trusted) return;
  const { exclude_patterns: excludePatterns, custom_flags } = settings;
  const asked = { excludePatterns, customFlags: parseCustomFlags(custom_flags) };
  const problems = driver.checkPull?.(asked) ?? [];
  if (problems.length > 0) {
    throw invalid(
      say`source_connection_unfit: Not possible with a source connection: ${{ problems: problems.join(' ') }}`,
    );
  }
}

async function find(
  session: StorageSession,
  field: Field,
  id: number | null | undefined,
): Promise<SshConnectionRow | null> {
  if (id === null || id === undefined) return null;
  const [row] = await session.find(sshConnections, { where: { id }, limit: 1 });
  if (!row) throw notFound(say`given_connection_unknown: ${{ field }}: there is no connection ${{ id }}.`);
  return row;
}

/** One sentence for each unknown field of a request body; `reasons` explain some of them. */
export const ignoredFields = (
  body: object,
  known: { shape: object },
  reasons: Readonly<Record<string, string>> = {},
): string[] =>
  Object.keys(body)
    .filter((field) => !Object.hasOwn(known.shape, field))
    .map((field) =>
      Object.hasOwn(reasons, field) ? `${field} ${reasons[field]}` : `${field} is unknown and was ignored.`,
    );
