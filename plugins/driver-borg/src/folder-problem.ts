import { access, constants, statfs } from 'node:fs/promises';

/** The tool keeps records in this folder: without space there it does nothing. */
const leastBytes = 1 << 16;

/** Why the tool can't work in its folder, in a sentence, or null. A missing folder is created when needed. */
export async function folderProblem(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= leastBytes) return null;
    return `The disk of ${folder} is full, so Borg cannot run. Free some space.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    return `The folder ${folder} can't be written to (${code}), so Borg cannot run.`;
  }
}
