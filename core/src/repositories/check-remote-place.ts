import { isRemoteLocation, pathOf } from '../ssh/remote-location.rules.js';
import { contains, normalised } from './repository-path.rules.js';
import { conflict, invalid } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { repositories, type SshConnectionRow } from '../schema/tables.js';

interface RemotePlace {
  location: string;
  connection: SshConnectionRow;
  /** Where the sources are; null: on this machine. */
  sourceConnectionId: number | null;
  sources: readonly string[];
  /** The repository whose place this is or becomes, when it is registered. */
  ownId?: number | undefined;
}

/**
 * AppError `conflict` when the place belongs to another registered repository, `invalid` when it lies inside one,
 * inside a source of the same host, or has one inside.
 */
export async function checkRemotePlace(session: StorageSession, place: RemotePlace): Promise<void> {
  const { location, connection, ownId } = place;
  for (const other of await session.find(repositories)) {
    if (other.id === ownId || !isRemoteLocation(other.path)) continue;
    if (other.path === location)
      throw conflict(`Repository ${other.name} has this path already: choose another.`);
    if (contains(other.path, location))
      throw invalid(`path lies inside repository ${other.name}: choose a place beside it.`);
  }
  if (place.sourceConnectionId === connection.id) refuseOverlap(pathOf(location), place.sources);
}

function refuseOverlap(path: string, sources: readonly string[]): void {
  for (const source of sources.map(normalised)) {
    if (contains(source, path)) {
      throw invalid(
        `path lies inside the source ${source}, so it would back up itself: choose a place outside.`,
      );
    }
    if (contains(path, source))
      throw invalid(`The source ${source} lies inside the repository: leave it out.`);
  }
}
