import { unlink } from 'node:fs/promises';
import { baseNameOf, canonicalPath, parentOf } from '../../domain/archive-path.js';
import { type RestoreOrder, Selection } from '../../domain/restore.js';
import type { ArchiveEntry } from '../../ports/backup-driver.js';
import { Folder, Folders, unlessMissing } from './folder.js';

export interface Expected {
  entries: AsyncIterable<ArchiveEntry[]>;
  order: RestoreOrder;
}

/**
 * Removes extracted files that have not the size which the archive tells, so that half a file never stands for a whole
 * one. Returns how many files are not there.
 */
export async function dropIncomplete(tree: string, { entries, order }: Expected): Promise<number> {
  const selection = new Selection(order.paths);
  const folders = new Folders(await Folder.held(tree));
  const bad = new Set<string>();
  try {
    for await (const batch of entries) {
      for (const entry of batch) {
        const path = canonicalPath(entry.path);
        if (entry.type !== 'file' || !selection.has(path)) continue;
        if (!(await stays(folders, { entry, path, bad }))) bad.add(path);
      }
    }
  } finally {
    await folders.close();
  }
  return bad.size;
}

interface Listed {
  entry: ArchiveEntry;
  path: string;
  bad: Set<string>;
}

/** False for what is not there, or was not whole and is not there any more. */
async function stays(folders: Folders, { entry, path, bad }: Listed): Promise<boolean> {
  const name = baseNameOf(path);
  // What an archive has below a symlink, or outside, was not extracted there.
  const folder = await folders.at(parentOf(path)).catch(unlessMissing);
  const there = folder && (await folder.look(name).catch(unlessMissing));
  if (!there) return false;
  if (there.isFile() && isWhole(Number(there.size), { entry, path, bad })) return true;
  if (!there.isDirectory()) await unlink(folder.at(name));
  return false;
}

const isWhole = (size: number, { entry, bad }: Listed): boolean =>
  entry.hardLinkTarget !== null ? !bad.has(canonicalPath(entry.hardLinkTarget)) : size === entry.size;
