import { remoteLocation } from '../ssh/remote-location.rules.js';
import { repositoryPath } from './repository-path.rules.js';
import type { RepositoryRow, SshConnectionRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { checkPlace } from './check-location.js';
import { checkRemotePlace } from './check-remote-place.js';

type Needs = Pick<Dependencies, 'storage' | 'files' | 'settings'>;

interface WantedPlace {
  /** As it was given. */
  text: string;
  connection: SshConnectionRow | null;
  settings: Pick<RepositoryRow, 'source_directories' | 'source_connection_id'>;
  ownId?: number;
}

/** Where the repository is or will be, after nothing speaks against that place. AppError `invalid`, `conflict`. */
export async function planPlace(needs: Needs, wanted: WantedPlace): Promise<string> {
  const { text, connection } = wanted;
  const path = connection
    ? remoteLocation(connection, text)
    : repositoryPath(text, needs.settings.dataDirectory);
  await checkPlannedPlace(needs, { ...wanted, path });
  return path;
}

/** As `planPlace`, of a location that is known. */
export async function checkPlannedPlace(
  needs: Pick<Needs, 'storage' | 'files'>,
  { path, connection, settings, ownId }: Omit<WantedPlace, 'text'> & { path: string },
): Promise<void> {
  const { source_directories: sources, source_connection_id: sourceConnectionId } = settings;
  if (connection) {
    const place = { location: path, connection, sourceConnectionId, sources, ownId };
    return checkRemotePlace(needs.storage, place);
  }
  const local = sourceConnectionId === null ? sources : [];
  return checkPlace(needs, { path, sources: local, ...(ownId === undefined ? {} : { ownId }) });
}
