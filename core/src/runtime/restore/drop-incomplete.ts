import { rm } from 'node:fs/promises';
import { canonicalPath, joinPath } from '../../domain/archive-path.js';
import { bytesOfName } from '../../domain/lossless-bytes.js';
import { type ManifestEntry, type RestoreOrder, Selection, stripped } from '../../domain/restore.js';
import type { ArchiveEntry } from '../../ports/backup-driver.js';
import { mostManifestEntries } from './move-plan.js';
import { SurveyNames } from './survey-names.js';
import { below, look } from './target-files.js';

export interface Expected {
  entries: AsyncIterable<ArchiveEntry[]>;
  order: RestoreOrder;
}

/** Files that are not restored, the first of them as the manifest tells them. */
export interface LeftOut {
  count: number;
  entries: ManifestEntry[];
}

/**
 * Removes extracted files that have not the size which the archive tells, and those that the tool calls damaged: half a
 * file, or one of zeros, never stands for a whole one.
 */
export async function dropIncomplete(tree: string, { entries, order }: Expected): Promise<LeftOut> {
  const selection = new Selection(order.paths);
  const names = new SurveyNames();
  const bad = new Set<string>();
  const left: LeftOut = { count: 0, entries: [] };
  for await (const batch of entries) {
    for (const entry of batch) {
      const path = canonicalPath(entry.path);
      const damaged = names.isDamaged(entry, path);
      // The list is read a second time: what it says now must not lead elsewhere either.
      if (!selection.has(path) || names.add(entry, path) !== null || entry.type !== 'file') continue;
      const place = stripped(path, order.stripComponents);
      if (place === null || (!damaged && (await isWhole(tree, { entry, path, bad })))) continue;
      bad.add(path);
      await rm(bytesOfName(joinPath(tree, path)), { force: true });
      note(left, { path: below(order.destination, place), size: entry.size });
    }
  }
  return left;
}

function note(left: LeftOut, { path, size }: Pick<ManifestEntry, 'path' | 'size'>): void {
  left.count += 1;
  if (left.entries.length < mostManifestEntries)
    left.entries.push({ path, type: 'file', result: 'left_out', size });
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
