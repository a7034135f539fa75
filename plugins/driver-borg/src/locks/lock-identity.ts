import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOwnFolder } from '../own-folder.js';

const mostSlots = 1000;

/** The identity under which this service's tools hold locks. */
export interface LockIdentity {
  id: string;
  /**
   * An open file with an exclusive kernel lock. Every tool inherits it, so the kernel releases the lock when this
   * service and all its tools are dead, whatever their machine name or PID namespace.
   */
  descriptor: number;
}

/**
 * Takes the first identity that no living process has. It stays the same as long as one service after another uses
 * the folder. Null if files can't be locked: then nothing can be proved about a holder.
 */
export async function takeLockIdentity(folder: string): Promise<LockIdentity | null> {
  await makeOwnFolder(folder);
  for (let slot = 0; slot < mostSlots; slot += 1) {
    const path = join(folder, String(slot));
    const file = await openOrCreate(path);
    const locked = await tryLock(file);
    if (locked === 'locked') return { id: await nameIn(file, path), descriptor: keepOpen(file) };
    await file.close();
    if (locked === 'impossible') return null;
  }
  return null;
}

/** Never for writing: a disk with a file that is open for writing can't be remounted read-only. */
const openOrCreate = (path: string): Promise<FileHandle> =>
  open(path, 'r').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await (await open(path, 'a', 0o600)).close();
    return open(path, 'r');
  });

/** The identities whose processes are all dead at this moment. */
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

/** An unreferenced handle is closed when it is garbage-collected; these live as long as the process. */
const held = new Set<FileHandle>();
function keepOpen(file: FileHandle): number {
  held.add(file);
  return file.fd;
}

/** The lock belongs to the open file, which `flock` inherits: it stays after that program has ended. */
export const tryLock = (file: FileHandle): Promise<'locked' | 'busy' | 'impossible'> =>
  new Promise((resolve) => {
    const child = spawn('flock', ['-n', '-x', '3'], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'ignore', file.fd],
    });
    child.once('error', () => resolve('impossible'));
    child.once('close', (code) => resolve(code === 0 ? 'locked' : code === 1 ? 'busy' : 'impossible'));
  });

/** An identity belongs to this very file: a copy of the folder on another machine must not have the same ones. */
async function nameIn(file: FileHandle, path: string): Promise<string> {
  const { ino, birthtimeMs } = await file.stat();
  const mark = `${ino} ${birthtimeMs}`;
  const [name, of] = (await file.readFile('utf8')).split('\n');
  if (name?.startsWith('holdfast-') && of === mark) return name;
  const made = `holdfast-${randomUUID()}`;
  await writeFile(path, `${made}\n${mark}\n`);
  return made;
}
