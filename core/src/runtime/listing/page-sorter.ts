import { baseNameOf, canonicalPath, parentOf } from '../../domain/archive-path.js';
import type { DirectoryTree } from './directory-tree.js';
import type { CollectedEntries, FiledRecord } from './entry-collector.js';
import { linkKey } from './entry-collector.js';
import { directoryCode, type EntryRecord, type ListingPage } from './listing-format.js';
import type { PageFile } from './page-file.js';
import type { PageMap } from './page-plan.js';

interface Sorting {
  collected: CollectedEntries;
  pages: PageFile;
  map: PageMap;
  /** Number of pages. */
  count: number;
  signal: AbortSignal;
}

/** Brings all entries to their pages, with the sizes of hard links and directories. */
export async function sortIntoPages(sorting: Sorting): Promise<void> {
  await sortRecords(sorting);
  await sumDirectories(sorting);
  await sortDirectories(sorting);
}

async function sortRecords({ collected, pages, map, signal }: Sorting): Promise<void> {
  const { tree, linkTargets } = collected;
  for await (const block of collected.records.blocks()) {
    signal.throwIfAborted();
    let full = false;
    for (const line of block) {
      const record = JSON.parse(line) as FiledRecord;
      const resolved = linkTargets.size > 0 && resolveLink(record, collected);
      const page = map.pageOf(tree.pathOf(record[0]), record[1]);
      full = pages.add(page, resolved ? JSON.stringify(record) : line) || full;
    }
    if (full) await pages.flush();
  }
  await pages.flush();
}

/** Tools name the first name before the further ones, so its size is known when they come. True when changed. */
function resolveLink(record: FiledRecord, { tree, linkTargets }: CollectedEntries): boolean {
  const [directory, name, , size, , extras] = record;
  if (extras?.h === undefined) {
    const key = linkKey(directory, name);
    if (linkTargets.has(key)) linkTargets.set(key, size);
    return false;
  }
  const target = canonicalPath(extras.h);
  record[3] = linkTargets.get(linkKey(tree.idOf(parentOf(target)), baseNameOf(target))) ?? size;
  return true;
}

async function sumDirectories({ collected: { tree }, pages, count, signal }: Sorting): Promise<void> {
  for (let page = 0; page < count; page++) {
    signal.throwIfAborted();
    for (const [directory, entries] of grouped(await pages.lines(page))) {
      for (const record of entries.values()) tree.addSize(directory, record[2]);
    }
  }
  tree.rollUp();
}

async function sortDirectories({ collected: { tree }, pages, map, signal }: Sorting): Promise<void> {
  const addTo = (directory: number, path: string, entry: EntryRecord): boolean =>
    pages.add(map.pageOf(path, entry[0]), JSON.stringify([directory, ...entry]));
  for (const { id, path, parent, size, mtime, healthy } of tree.directories()) {
    if (id === 0) continue;
    const entry: EntryRecord = [baseNameOf(path), directoryCode, size, mtime && Math.floor(mtime)];
    if (!healthy) entry.push({ d: 1 });
    if (addTo(parent, tree.pathOf(parent), entry)) {
      signal.throwIfAborted();
      await pages.flush();
    }
  }
  await pages.flush();
}

/**
 * The entries of a page by directory and name. Overlapping sources make a tool list a file twice: the first counts,
 * as it is the one with the content; a directory is one whatever else has its name.
 */
function grouped(lines: string[]): Map<number, Map<string, EntryRecord>> {
  const groups = new Map<number, Map<string, EntryRecord>>();
  for (const line of lines) {
    const [directory, ...entry] = JSON.parse(line) as FiledRecord;
    const group = groups.get(directory) ?? new Map<string, EntryRecord>();
    groups.set(directory, group);
    if (!group.has(entry[0]) || entry[1] === directoryCode) group.set(entry[0], entry);
  }
  return groups;
}

/** A page as it is stored. */
export function pageOf(build: string, lines: string[], tree: DirectoryTree): ListingPage {
  const directories: ListingPage['directories'] = [];
  for (const [id, entries] of grouped(lines)) directories.push([tree.pathOf(id), [...entries.values()]]);
  return { build, directories };
}
