import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScriptFile {
  /** Passed to the interpreter as descriptor 3. */
  handle: FileHandle;
  /** The path for the interpreter. */
  path: string;
  /** Call when the script has ended. */
  close(): Promise<void>;
}

/**
 * Writes the text to a file that only this user can read. For bash the file is unlinked and read by
 * descriptor, so that nothing is left behind even after a crash. Other interpreters need the name until they
 * end.
 */
export async function writeScript(text: string, { named }: { named: boolean }): Promise<ScriptFile> {
  const name = join(tmpdir(), `holdfast-script-${randomUUID()}`);
  const remove = () => unlink(name).catch(() => {});
  const writing = await open(name, 'wx', 0o600);
  try {
    await writing.writeFile(text);
    const handle = await open(name, 'r');
    if (!named) await remove();
    const close = async () => {
      await handle.close();
      if (named) await remove();
    };
    return { handle, path: named ? name : '/dev/fd/3', close };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    await writing.close();
  }
}
