import { baseNameOf, canonicalPath, parentOf } from '../../domain/archive-path.js';
import type { DirectoryTree } from './directory-tree.js';
import { type CollectedEntries, linkKey } from './entry-collector.js';
import { directoryOf, type FiledRecord, lineOf, parseLine, sizeIn } from './filed-record.js';
import { directoryCode, type EntryRecord } from './listing-format.js';
import { inListingOrder } from './listing-order.js';
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
  const pageOf = pageFinder(map, tree);
  for await (const block of collected.records.blocks()) {
    signal.throwIfAborted();
    let full = false;
    for (const line of block) {
      const resolved = linkTargets.size > 0 ? resolveLink(line, collected) : line;
      full = pages.add(pageOf(resolved), resolved) || full;
    }
    if (full) await pages.flush();
  }
  await pages.flush();
}

/** Most directories have one page, which is worked out once. */
function pageFinder(map: PageMap, tree: DirectoryTree): (line: string) => number {
  const known: number[] = [];
  const large = -1;
  return (line) => {
    const directory = directoryOf(line);
    const path = tree.pathOf(directory);
    known[directory] ??= map.isLarge(path) ? large : map.pageOf(path, '');
    const page = known[directory];
    return page === large ? map.pageOf(path, parseLine(line).record[0]) : page;
  };
}

/** Tools name the first name before the further ones, so its size is known when they come. */
function resolveLink(line: string, { tree, linkTargets }: CollectedEntries): string {
  const { directory, record } = parseLine(line);
  const [name, , size, , extras] = record;
  if (extras?.h === undefined) {
    const key = linkKey(directory, name);
    if (linkTargets.has(key)) linkTargets.set(key, size);
    return line;
  }
  const target = canonicalPath(extras.h);
  record[2] = linkTargets.get(linkKey(tree.idOf(parentOf(target)), baseNameOf(target))) ?? size;
  return lineOf(directory, record);
}

/** A file that is listed twice counts once. */
async function sumDirectories({ collected: { tree }, pages, count, signal }: Sorting): Promise<void> {
  for (let page = 0; page < count; page++) {
    signal.throwIfAborted();
    const seen = new Set<string>();
    for (const line of await pages.lines(page)) {
      const { entry, size } = sizeIn(line);
      if (seen.has(entry)) continue;
      seen.add(entry);
      tree.addSize(directoryOf(line), size);
    }
  }
  tree.rollUp();
}

async function sortDirectories({ collected: { tree }, pages, map, signal }: Sorting): Promise<void> {
  for (const { id, path, parent, size, mtime, healthy } of tree.directories()) {
    if (id === 0) continue;
    const entry: EntryRecord = [baseNameOf(path), directoryCode, size, mtime && Math.floor(mtime)];
    if (!healthy) entry.push({ d: 1 });
    if (pages.add(map.pageOf(tree.pathOf(parent), entry[0]), lineOf(parent, entry))) {
      signal.throwIfAborted();
      await pages.flush();
    }
  }
  await pages.flush();
}

/**
 * The entries of a page by directory. Overlapping sources make a tool list a file twice: the first counts, as it is
 * the one with the content; a directory is one whatever else has its name. In the order of listings, so that a browse
 * need not sort.
 */
export function groupsOf(lines: string[], tree: DirectoryTree): [path: string, records: EntryRecord[]][] {
  const groups = new Map<number, Map<string, EntryRecord>>();
  for (const { directory, record } of parsed(lines)) {
    const group = groups.get(directory) ?? new Map<string, EntryRecord>();
    groups.set(directory, group);
    if (!group.has(record[0]) || record[1] === directoryCode) group.set(record[0], record);
  }
  return [...groups].map(([id, entries]) => [tree.pathOf(id), inListingOrder([...entries.values()])]);
}

function* parsed(lines: string[]): Generator<FiledRecord> {
  for (const line of lines) yield parseLine(line);
}
