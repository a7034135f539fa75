import { canonicalPath } from '@holdfast/plugin-api/driver';
import { baseNameOf, joinPath, parentOf } from '../archive-path.rules.js';
import type { DirectoryTree } from './directory-tree.js';
import {
  bucketCount,
  type CollectedEntries,
  directoryOf,
  type FiledRecord,
  lineOf,
  linkKey,
  parseLine,
  sizeIn,
} from './entry-collector.js';
import { directoryCode, type EntryRecord } from './listing-format.js';
import type { PageFile } from './page-file.fs.js';
import { type LargeDirectory, orderKey, PageMap, type PagePlan, pageCount, partOf } from './page-plan.js';

/** Directories first, then by name without regard to case; the given array itself where it is so already. */
function inListingOrder(records: EntryRecord[]): EntryRecord[] {
  const keys = records.map(([name, type]) => orderKey(type === directoryCode, name));
  if (keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key)) return records;
  const order = [...keys.keys()].sort((a, b) => byText(keys[a] ?? '', keys[b] ?? ''));
  return order.map((index) => records[index] as EntryRecord);
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Sorting {
  collected: CollectedEntries;
  plan: PagePlan;
  signal: AbortSignal;
}

interface Sorter extends Sorting {
  pages: PageFile;
  map: PageMap;
}

/** Brings all entries to their pages, in the file of the buckets, with the sizes of hard links and directories. */
export async function sortIntoPages(sorting: Sorting): Promise<PageFile> {
  const { collected, plan } = sorting;
  const pages = collected.buckets.regrouped(pageCount(plan));
  const sorter = { ...sorting, pages, map: new PageMap(plan) };
  await findLinkSizes(sorter);
  await sortRecords(sorter);
  await sumAnew(sorter);
  collected.tree.rollUp();
  await sortDirectories(sorter);
  return pages;
}

/** Only the first name of a hard-linked file has its size and damage. */
async function findLinkSizes({ collected, signal }: Sorter): Promise<void> {
  const { buckets, damagedTargets, linkTargets } = collected;
  const wanted = new Set<number>();
  for (const key of linkTargets.keys()) wanted.add(collected.bucketOf(directoryOf(key)));
  for (const bucket of wanted) {
    for await (const block of buckets.blocks(bucket)) {
      signal.throwIfAborted();
      for (const { directory, record } of parsed(block)) {
        const [name, , size, , extras] = record;
        const key = linkKey(directory, name);
        if (extras?.h !== undefined || !linkTargets.has(key)) continue;
        linkTargets.set(key, size);
        if (extras?.d) damagedTargets.add(key);
      }
    }
  }
}

/** Most buckets fit into one page. The lines of larger ones are distributed to their pages. */
async function sortRecords(sorter: Sorter): Promise<void> {
  const { collected, pages, plan, signal } = sorter;
  const apart = bucketsOfMore(sorter);
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    if (!apart.has(bucket)) {
      pages.take(bucket % plan.hashedPages, collected.buckets, bucket);
      continue;
    }
    for await (const block of collected.buckets.blocks(bucket)) {
      signal.throwIfAborted();
      let full = false;
      for (const line of block) full = sortLine(sorter, line) || full;
      if (full) await pages.flush();
    }
  }
  await pages.flush();
}

/** Buckets that belong to several pages, or have hard links. */
function bucketsOfMore({ collected, plan }: Sorter): Set<number> {
  if (plan.hashedPages > bucketCount) return new Set(Array.from({ length: bucketCount }, (_, n) => n));
  const large = plan.large.map(([path]) => partOf(path, bucketCount));
  return new Set([...collected.linkBuckets, ...large]);
}

function sortLine({ collected, pages, map }: Sorter, line: string): boolean {
  const { tree, linkTargets, damagedTargets } = collected;
  const { directory, record } = parseLine(line);
  const [name, , , , extras] = record;
  const path = tree.pathOf(directory);
  // The directory of this name is listed, on another page.
  if (map.large(path) && tree.has(joinPath(path, name))) return false;
  const page = map.assign(path, record);
  if (extras?.h === undefined) return pages.add(page, line);
  const target = canonicalPath(extras.h);
  const key = linkKey(tree.idOf(parentOf(target)), baseNameOf(target));
  record[2] = linkTargets.get(key) ?? record[2];
  if (damagedTargets.has(key)) extras.d = 1;
  tree.addSize(directory, record[2]);
  return pages.add(page, lineOf(directory, record));
}

/** Where a name may be listed twice: it counts once. */
async function sumAnew({ collected: { tree, doubtful }, pages, map, signal }: Sorter): Promise<void> {
  const numbers = new Map<number, LargeDirectory | undefined>();
  for (const directory of doubtful) {
    tree.forgetSize(directory);
    const path = tree.pathOf(directory);
    for (const page of map.pagesOf(path)) numbers.set(page, map.large(path));
  }
  for (const [number, large] of numbers) {
    signal.throwIfAborted();
    const seen = new Set<string>();
    for (const line of await pages.lines(number)) {
      const directory = directoryOf(line);
      if (!doubtful.has(directory)) continue;
      const { entry, size } = sizeIn(line);
      if (seen.has(entry)) continue;
      seen.add(entry);
      tree.addSize(directory, size);
    }
    large?.recount(number, seen.size);
  }
}

async function sortDirectories({ collected: { tree }, pages, map, signal }: Sorter): Promise<void> {
  for (const { id, path, parent, size, mtime, healthy } of tree.directories()) {
    if (id === 0) continue;
    const entry: EntryRecord = [baseNameOf(path), directoryCode, size, mtime && Math.floor(mtime)];
    if (!healthy) entry.push({ d: 1 });
    if (pages.add(map.assign(tree.pathOf(parent), entry), lineOf(parent, entry))) {
      signal.throwIfAborted();
      await pages.flush();
    }
  }
  await pages.flush();
}

/**
 * The entries of a page by directory, sorted like listings. Overlapping sources make the tool list a file
 * twice: the first one counts, because it has the content; a directory has priority over other types with its
 * name.
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
