import { dirname } from 'node:path';
import { invalid } from '../kernel/errors.js';
import type { SshConnectionRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import type { ConnectionNeeds } from '../ssh/check-connection.js';
import { missingParents, removeParents } from './remote-parents.js';

export type RoomNeeds = ConnectionNeeds & Pick<Dependencies, 'files'>;

/** What is above the place of a new repository, and how to take it back. */
export interface Room {
  /** The empty folder itself was there before. */
  placeWasThere: boolean;
  /** Removes the folders that were made for it, as far as they are empty. Never rejects. */
  takeBack(): Promise<void>;
}

/** Makes the folders above a new repository; on another host the tool makes them. AppError when that can't be done. */
export async function makeRoom(
  needs: RoomNeeds,
  { path, connection }: { path: string; connection: SshConnectionRow | null },
): Promise<Room> {
  if (connection) {
    const parents = await missingParents(needs, connection, path);
    return { placeWasThere: false, takeBack: () => removeParents(needs, connection, parents) };
  }
  const { files } = needs;
  const placeWasThere = (await files.kind(path)) === 'directory';
  try {
    const parents = await files.makeDirectories(dirname(path));
    return { placeWasThere, takeBack: () => files.removeEmptyDirectories(parents) };
  } catch (cause) {
    throw invalid(`path: ${dirname(path)} can't be made: make it yourself, or choose another place.`, {
      cause,
    });
  }
}
