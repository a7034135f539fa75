import { access, constants, statfs } from 'node:fs/promises';

/** The tool notes what it does in this folder: without room there it does nothing. */
const leastBytes = 1 << 16;

/** Why the tool can't work in its folder, in a sentence, or null. A folder that is not there is made when needed. */
export async function folderFault(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= leastBytes) return null;
    return `The disk of ${folder} is full: no operation of the backup tool can begin. Make room there.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    return `The folder ${folder} can't be written (${code}): no operation of the backup tool can begin.`;
  }
}
