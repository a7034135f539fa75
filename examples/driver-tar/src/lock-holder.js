import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const lockFile = (folder) => join(folder, 'lock');

/** Describes who holds the lock, as the kernel knows it; null if nobody on this machine does. */
export async function lockHolderOf(folder) {
  try {
    const file = await realpath(lockFile(folder));
    const { ino } = await stat(file);
    for (const line of (await readFile('/proc/locks', 'utf8')).split('\n')) {
      const [, pid, inode] = /FLOCK\s+ADVISORY\s+\w+\s+(\d+)\s+\w+:\w+:(\d+)/.exec(line) ?? [];
      if (Number(inode) === ino && (await hasOpen(pid, file))) return `process ${pid} on this machine`;
    }
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return null;
}

/** An inode number is unique only within one file system. */
async function hasOpen(pid, file) {
  const folder = `/proc/${pid}/fd`;
  const targets = (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => ''));
  return (await Promise.all(targets)).includes(file);
}
