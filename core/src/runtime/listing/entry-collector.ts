import { baseNameOf, canonicalPath, joinPath, parentOf } from '../../domain/archive-path.js';
import type { ArchiveEntry } from '../../ports/backup-driver.js';
import { DirectoryTree } from './directory-tree.js';
import { lineOf } from './filed-record.js';
import type { LineFile } from './line-file.js';
import { type EntryRecord, type RecordExtras, typeCode } from './listing-format.js';

/** What is known of an archive once the tool told all of it. */
export interface CollectedEntries {
  tree: DirectoryTree;
  /** All entries but the directories. */
  records: LineFile;
  recordCount: number;
  /** First names of hard-linked files, by `directory/name`; the sizes come later. */
  linkTargets: Map<string, number>;
}

export const linkKey = (directory: number, name: string): string => `${directory}/${name}`;

/** Reads the tool's stream to its end: directories into the tree, the rest into the file. */
export async function collectEntries(
  entries: AsyncIterable<ArchiveEntry[]>,
  records: LineFile,
  onProgress?: (entries: number) => void,
): Promise<CollectedEntries> {
  const collected = {
    tree: new DirectoryTree(),
    records,
    recordCount: 0,
    linkTargets: new Map<string, number>(),
  };
  for await (const batch of entries) {
    let full = false;
    for (const entry of batch) full = collect(collected, entry) || full;
    if (!full) continue;
    await records.flush();
    onProgress?.(collected.recordCount + collected.tree.count - 1);
  }
  return collected;
}

function collect(collected: CollectedEntries, entry: ArchiveEntry): boolean {
  const { tree, records, linkTargets } = collected;
  const path = canonicalPath(entry.path);
  if (entry.type === 'directory' || path === '') {
    tree.describe(tree.idOf(path), entry);
    return false;
  }
  const directory = tree.idOf(parentOf(path));
  const name = baseNameOf(path);
  const extras = extrasOf(entry, path);
  if (entry.hardLinkTarget !== null) {
    const target = canonicalPath(entry.hardLinkTarget);
    linkTargets.set(linkKey(tree.idOf(parentOf(target)), baseNameOf(target)), 0);
  }
  const record: EntryRecord = [name, typeCode(entry.type), entry.size, Math.floor(entry.mtime)];
  if (extras) record.push(extras);
  tree.reserve(directory, JSON.stringify(extras ?? '').length + name.length);
  collected.recordCount++;
  return records.add(lineOf(directory, record));
}

function extrasOf(entry: ArchiveEntry, path: string): RecordExtras | null {
  const extras: RecordExtras = {};
  if (entry.hardLinkTarget !== null) extras.h = entry.hardLinkTarget;
  if (entry.symlinkTarget !== null) extras.s = entry.symlinkTarget;
  if (entry.path !== joinPath(parentOf(path), baseNameOf(path))) extras.p = entry.path;
  if (!entry.healthy) extras.d = 1;
  return Object.keys(extras).length > 0 ? extras : null;
}
