import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScriptFile {
  /** To be handed on as descriptor 3. */
  handle: FileHandle;
  /** What the interpreter is told to read. */
  path: string;
  /** To be called when the script ended. */
  close(): Promise<void>;
}

/**
 * The text in a file that only this user can read. bash reads it by its descriptor: the file has no name any
 * more, so that nothing is left behind whatever ends this process. Other interpreters look at the name, and
 * keep it meanwhile.
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
