import { dirname } from 'node:path';
import { invalid, say } from '../../foundation/kernel/index.js';
import type { ConnectionNeeds } from '../ssh/index.js';
import { remoteLocation } from '../ssh/index.js';
import type { SshConnectionRow } from '../ssh/tables.js';
import { checkPlace, checkRemotePlace, missingParents, removeParents } from './check-location.js';
import { leftOutBy } from './left-out.rules.js';
import type { RepositoriesNeeds } from './needs.js';
import { repositoryPath } from './repository-path.rules.js';
import type { RepositoryRow } from './tables.js';

type Needs = Pick<RepositoriesNeeds, 'storage' | 'files' | 'settings' | 'driver'>;

interface WantedPlace {
  /** As given in the request. */
  text: string;
  connection: SshConnectionRow | null;
  settings: Pick<
    RepositoryRow,
    'source_directories' | 'source_connection_id' | 'exclude_patterns' | 'custom_flags'
  >;
  ownId?: number;
}

/** The location of the repository, after checking that it may be there. Throws AppError `invalid`, `conflict`. */
export async function planPlace(needs: Needs, wanted: WantedPlace): Promise<string> {
  const { text, connection } = wanted;
  const path = connection
    ? remoteLocation(connection, text)
    : repositoryPath(text, needs.settings.dataDirectory);
  await checkPlannedPlace(needs, { ...wanted, path });
  return path;
}

/** Like `planPlace`, for a known location. */
export async function checkPlannedPlace(
  needs: Pick<Needs, 'storage' | 'files' | 'driver'>,
  { path, connection, settings, ownId }: Omit<WantedPlace, 'text'> & { path: string },
): Promise<void> {
  const { source_directories: sources, source_connection_id: sourceConnectionId } = settings;
  const leftOut = leftOutBy(needs.driver, settings);
  if (connection) {
    const place = { location: path, connection, sourceConnectionId, sources, leftOut, ownId };
    return checkRemotePlace(needs.storage, place);
  }
  const local = sourceConnectionId === null ? sources : [];
  return checkPlace(needs, { path, sources: local, leftOut, ...(ownId === undefined ? {} : { ownId }) });
}

export type ParentFolderNeeds = ConnectionNeeds & Pick<RepositoriesNeeds, 'files'>;

/** The folders above a new repository, and how to remove them again. */
export interface ParentFolders {
  /** The empty folder itself existed before. */
  placeWasThere: boolean;
  /** Removes the folders that were created for it, if empty. Never rejects. */
  remove(): Promise<void>;
}

/** Creates the folders above a new repository. On another host the tool creates them. Throws AppError on failure. */
export async function makeParentFolders(
  needs: ParentFolderNeeds,
  { path, connection }: { path: string; connection: SshConnectionRow | null },
): Promise<ParentFolders> {
  if (connection) {
    const parents = await missingParents(needs, connection, path);
    return { placeWasThere: false, remove: () => removeParents(needs, connection, parents) };
  }
  const { files } = needs;
  const placeWasThere = (await files.kind(path)) === 'directory';
  try {
    const parents = await files.makeDirectories(dirname(path));
    return { placeWasThere, remove: () => files.removeEmptyDirectories(parents) };
  } catch (cause) {
    throw invalid(
      say`repository_folder_not_creatable: path: ${{ folder: dirname(path) }} can't be created: create it yourself, or choose another location.`,
      { cause },
    );
  }
}
