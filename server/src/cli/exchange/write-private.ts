import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../exit.js';

/** A file for the user alone. One that exists is never replaced. */
export async function writePrivate(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'EEXIST' ? `${path} already exists: choose another file.` : `Can't write ${path} (${code}).`,
    );
  }
}

/** To standard output, which may be a pipe. */
export const print = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => process.stdout.write(text, () => resolve()));
