import { baseNameOf, canonicalPath, joinPath, parentOf } from '../archive-path.rules.js';
import type { ArchiveEntry } from '../../ports/backup-driver.js';
import { DirectoryTree } from './directory-tree.js';
import { lineOf } from './filed-record.js';
import { type EntryRecord, type RecordExtras, typeCode } from './listing-format.js';
import type { PageFile } from './page-file.js';
import { partOf } from './page-plan.js';
import { SeenNames } from './seen-names.js';

/** A power of two: pages of most listings are some of them together. */
export const bucketCount = 1024;

/** What is known of an archive once the tool told all of it. */
export interface CollectedEntries {
  tree: DirectoryTree;
  /** All entries but the directories, each in the bucket of the directory that holds it. */
  buckets: PageFile;
  recordCount: number;
  bucketOf(directory: number): number;
  /** First names of hard-linked files, by `directory/name`; the sizes come later. */
  linkTargets: Map<string, number>;
  /** Those of them that the tool calls damaged: then so are the further names. */
  damagedTargets: Set<string>;
  /** Buckets with further names of hard-linked files, which are in no sum yet. */
  linkBuckets: Set<number>;
  /** Directories that may have a name twice, so that their sums may be wrong. */
  doubtful: Set<number>;
}

export const linkKey = (directory: number, name: string): string => `${directory}/${name}`;

/** Reads the tool's stream to its end: directories into the tree, the rest into the buckets. */
export async function collectEntries(
  entries: AsyncIterable<ArchiveEntry[]>,
  buckets: PageFile,
  onProgress?: (entries: number) => void,
): Promise<CollectedEntries> {
  const collector = new Collector(buckets);
  for await (const batch of entries) {
    let full = false;
    for (const entry of batch) full = collector.add(entry) || full;
    onProgress?.(collector.recordCount + collector.tree.count - 1);
    if (full) await buckets.flush();
  }
  await buckets.flush();
  return collector;
}

class Collector implements CollectedEntries {
  readonly tree = new DirectoryTree();
  readonly linkTargets = new Map<string, number>();
  readonly damagedTargets = new Set<string>();
  readonly linkBuckets = new Set<number>();
  readonly doubtful = new Set<number>();
  recordCount = 0;
  readonly #seen = new SeenNames();
  readonly #buckets: number[] = [];

  constructor(readonly buckets: PageFile) {}

  bucketOf(directory: number): number {
    this.#buckets[directory] ??= partOf(this.tree.pathOf(directory), bucketCount);
    return this.#buckets[directory];
  }

  /** True when it is time to flush the buckets. */
  add(entry: ArchiveEntry): boolean {
    const { tree } = this;
    const path = canonicalPath(entry.path);
    if (entry.type === 'directory' || path === '') {
      tree.describe(tree.idOf(path), entry);
      return false;
    }
    const directory = tree.idOf(parentOf(path));
    const name = baseNameOf(path);
    const extras = extrasOf(entry, path);
    const record: EntryRecord = [name, typeCode(entry.type), entry.size, Math.floor(entry.mtime)];
    if (extras) record.push(extras);
    tree.reserve(directory, (extras ? JSON.stringify(extras).length : 0) + name.length);
    this.recordCount++;
    if (this.#seen.add(directory, name)) this.doubtful.add(directory);
    if (entry.hardLinkTarget === null) tree.addSize(directory, entry.size);
    else this.#linked(directory, entry.hardLinkTarget);
    return this.buckets.add(this.bucketOf(directory), lineOf(directory, record));
  }

  #linked(directory: number, hardLinkTarget: string): void {
    const target = canonicalPath(hardLinkTarget);
    this.linkTargets.set(linkKey(this.tree.idOf(parentOf(target)), baseNameOf(target)), 0);
    this.linkBuckets.add(this.bucketOf(directory));
  }
}

function extrasOf(entry: ArchiveEntry, path: string): RecordExtras | null {
  const isPlain = entry.hardLinkTarget === null && entry.symlinkTarget === null && entry.healthy;
  if (isPlain && entry.path === path) return null;
  const extras: RecordExtras = {};
  if (entry.hardLinkTarget !== null) extras.h = entry.hardLinkTarget;
  if (entry.symlinkTarget !== null) extras.s = entry.symlinkTarget;
  if (entry.path !== joinPath(parentOf(path), baseNameOf(path))) extras.p = entry.path;
  if (!entry.healthy) extras.d = 1;
  return Object.keys(extras).length > 0 ? extras : null;
}
