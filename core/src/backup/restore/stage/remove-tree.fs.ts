import { dirname } from 'node:path';
import { rmdir, unlink } from '@holdfast/plugin-api/files';
import { baseNameOf } from '../../archives/index.js';
import { Folder } from './folder.fs.js';

/**
 * Removes an entry without following symlinks, even if others change the tree at the same time. Also removes
 * directories without write permission.
 */
export async function removeTree(parent: Folder, name: string): Promise<void> {
  const there = await parent.look(name);
  if (!there) return;
  if (!there.isDirectory()) return unlink(parent.at(name)).catch(unlessGone);
  const folder = await parent.sub(name);
  try {
    await empty(folder);
  } finally {
    await folder.close();
  }
  await rmdir(parent.at(name)).catch(unlessGone);
}

/** How many files are removed in parallel. */
const atOnce = 64;

/** Removes everything in a folder. */
export async function empty(folder: Folder): Promise<void> {
  if (((await folder.stat()).mode & 0o700n) !== 0o700n) await folder.chmod(0o700);
  const entries = await folder.entries();
  const files = entries.filter((entry) => !entry.isDirectory());
  for (let from = 0; from < files.length; from += atOnce) {
    const some = files.slice(from, from + atOnce);
    await Promise.all(some.map(({ name }) => unlink(folder.at(name)).catch(unlessGone)));
  }
  for (const entry of entries) if (entry.isDirectory()) await removeTree(folder, entry.name);
}

/** Removes a path whose parents other users cannot change. */
export async function removePath(path: string): Promise<void> {
  const parent = await Folder.held(dirname(path)).catch(unlessGone);
  if (!parent) return;
  try {
    await removeTree(parent, baseNameOf(path));
  } finally {
    await parent.close();
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
