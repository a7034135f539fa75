import { type ArchiveEntry, canonicalPath } from '@holdfast/plugin-api/driver';
import { baseNameOf, joinPath, parentOf } from '../archive-path.rules.js';
import { DirectoryTree } from './directory-tree.js';
import { type EntryRecord, type RecordExtras, typeCode } from './listing-format.js';
import { nameText } from './listing-page.js';
import type { PageFile } from './page-file.fs.js';
import { partOf } from './page-plan.js';

/** A power of two: pages of most listings are some of them together. */
export const bucketCount = 1024;

/** The summary of an archive after all entries were read. */
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
    tree.sample(directory, false, name);
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

/** A record on its way, with the id of the directory that holds it. */
export interface FiledRecord {
  directory: number;
  record: EntryRecord;
}

/** As one line: fields between tabs, of which names hold none. */
export function lineOf(directory: number, [name, type, size, mtime, extras]: EntryRecord): string {
  const line = `${directory}\t${nameText(name)}\t${type}\t${size}\t${mtime ?? ''}`;
  return extras ? `${line}\t${JSON.stringify(extras)}` : line;
}

export function parseLine(line: string): FiledRecord {
  const [directory, text = '', type, size, mtime, extras] = line.split('\t');
  const name = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  const record: EntryRecord = [name, Number(type), Number(size), mtime === '' ? null : Number(mtime)];
  if (extras !== undefined) record.push(JSON.parse(extras) as RecordExtras);
  return { directory: Number(directory), record };
}

export const directoryOf = (line: string): number => Number.parseInt(line, 10);

/** The key and size of an entry, which is all that sums need. */
export function sizeIn(line: string): { entry: string; size: number } {
  const name = line.indexOf('\t') + 1;
  const type = line.indexOf('\t', name) + 1;
  const size = line.indexOf('\t', type) + 1;
  return { entry: line.slice(0, type), size: Number(line.slice(size, line.indexOf('\t', size))) };
}

const bytes = 8 << 20;
const bits = bytes * 8;
const probes = 4;

/**
 * Remembers names per directory in bounded memory (a Bloom filter): no is certain; yes is wrong for two in a
 * million names at a million entries, and more often above.
 */
class SeenNames {
  readonly #words = new Uint32Array(bytes / 4);

  /** Returns whether it may be known already, and adds it. */
  add(directory: number, name: string): boolean {
    let first = Math.imul(directory + 1, 0x9e3779b1);
    let second = 0x811c9dc5;
    for (let index = 0; index < name.length; index++) {
      const unit = name.charCodeAt(index);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x85ebca6b);
    }
    second = mixed(second ^ first) | 1;
    let bit = mixed(first);
    let known = true;
    for (let probe = 0; probe < probes; probe++, bit = (bit + second) | 0) {
      known = this.#set((bit >>> 0) % bits) && known;
    }
    return known;
  }

  #set(bit: number): boolean {
    const word = this.#words[bit >>> 5] ?? 0;
    const mask = 1 << (bit & 31);
    this.#words[bit >>> 5] = word | mask;
    return (word & mask) !== 0;
  }
}

function mixed(state: number): number {
  const half = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  return half ^ (half >>> 15);
}
