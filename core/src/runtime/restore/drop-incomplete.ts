import { rm } from 'node:fs/promises';
import { canonicalPath, joinPath } from '../../domain/archive-path.js';
import { bytesOfName } from '../../domain/lossless-bytes.js';
import { type RestoreOrder, Selection } from '../../domain/restore.js';
import type { ArchiveEntry } from '../../ports/backup-driver.js';
import { look } from './target-files.js';

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
  const bad = new Set<string>();
  let missing = 0;
  for await (const batch of entries) {
    for (const entry of batch) {
      const path = canonicalPath(entry.path);
      if (entry.type !== 'file' || !selection.has(path)) continue;
      if (await isWhole(tree, { entry, path, bad })) continue;
      missing += 1;
      bad.add(path);
      await rm(bytesOfName(joinPath(tree, path)), { force: true });
    }
  }
  return missing;
}

async function isWhole(
  tree: string,
  { entry, path, bad }: { entry: ArchiveEntry; path: string; bad: Set<string> },
): Promise<boolean> {
  const there = await look(joinPath(tree, path));
  if (!there?.isFile()) return false;
  if (entry.hardLinkTarget !== null) return !bad.has(canonicalPath(entry.hardLinkTarget));
  return Number(there.size) === entry.size;
}
