import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const readme = 'README.txt';
const text = `Holdfast makes a copy of itself here before each backup of itself, and removes it afterwards.

"holdfast recover" restores a copy from the repository with these backups: see
docs/guides/lost-server.md.
`;

/**
 * The source directory of the self-backup. It always contains a README, so that it is neither missing nor
 * empty between backups, and every archive explains itself.
 */
export const ownFolderOf = (dataDirectory: string): string => join(dataDirectory, 'self-backup');

export async function makeOwnFolder(dataDirectory: string): Promise<string> {
  const folder = ownFolderOf(dataDirectory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, readme), text, { mode: 0o600 });
  return folder;
}

/** Removes every copy, whole or not. */
export async function sweepOwnFolder(dataDirectory: string): Promise<void> {
  const folder = ownFolderOf(dataDirectory);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  for (const name of names.filter((each) => each !== readme))
    await rm(join(folder, name), { recursive: true, force: true });
}
