import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOwnFolder } from '../own-folder.js';

const mostSlots = 1000;

/** The name under which the tools of this service hold locks. */
export interface LockIdentity {
  id: string;
  /**
   * An open file with an exclusive lock of the kernel. Every tool inherits it, so that the kernel ends that lock when
   * this service and all its tools are dead, whatever machine name or PID namespace they had.
   */
  descriptor: number;
}

/**
 * Takes the first name that no living process has; it stays the same as long as one service after the other uses the
 * folder. Null where no file can be locked: then nothing can be proved of a holder.
 */
export async function takeLockIdentity(folder: string): Promise<LockIdentity | null> {
  await makeOwnFolder(folder);
  for (let slot = 0; slot < mostSlots; slot += 1) {
    const path = join(folder, String(slot));
    const file = await openEven(path);
    const locked = await tryLock(file);
    if (locked === 'locked') return { id: await nameIn(file, path), descriptor: heldForGood(file) };
    await file.close();
    if (locked === 'impossible') return null;
  }
  return null;
}

/** Never for writing: a disk with such a file open can't be made read-only. */
const openEven = (path: string): Promise<FileHandle> =>
  open(path, 'r').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await (await open(path, 'a', 0o600)).close();
    return open(path, 'r');
  });

/** The names whose processes are all dead at this moment. */
export async function deadIdentities(folder: string): Promise<Set<string>> {
  const dead = new Set<string>();
  for (const slot of await readdir(folder).catch(() => [] as string[])) {
    const path = join(folder, slot);
    const file = await open(path, 'r').catch(() => null);
    if (file === null) continue;
    try {
      if ((await tryLock(file)) === 'locked') dead.add(await nameIn(file, path));
    } finally {
      await file.close();
    }
  }
  return dead;
}

/** A handle that nobody keeps is closed when it is collected; this one lives as long as the process. */
const held = new Set<FileHandle>();
function heldForGood(file: FileHandle): number {
  held.add(file);
  return file.fd;
}

/** The lock belongs to the open file, which `flock` inherits: it stays when that program ended. */
export const tryLock = (file: FileHandle): Promise<'locked' | 'busy' | 'impossible'> =>
  new Promise((resolve) => {
    const child = spawn('flock', ['-n', '-x', '3'], { stdio: ['ignore', 'ignore', 'ignore', file.fd] });
    child.once('error', () => resolve('impossible'));
    child.once('close', (code) => resolve(code === 0 ? 'locked' : code === 1 ? 'busy' : 'impossible'));
  });

/** A copy of the folder on another machine must not have the names of this one: they belong to the very file. */
async function nameIn(file: FileHandle, path: string): Promise<string> {
  const { ino, birthtimeMs } = await file.stat();
  const mark = `${ino} ${birthtimeMs}`;
  const [name, of] = (await file.readFile('utf8')).split('\n');
  if (name?.startsWith('holdfast-') && of === mark) return name;
  const made = `holdfast-${randomUUID()}`;
  await writeFile(path, `${made}\n${mark}\n`);
  return made;
}
