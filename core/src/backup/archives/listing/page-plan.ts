import { escapeName } from '../../../foundation/kernel/index.js';
import { directoryCode, type EntryRecord, type ListingHeader } from './listing-format.js';

/** Raw bytes of a page, about: large enough to compress well, small enough to be read at once. */
const pageBytes = 230_000;
/** Larger directories get separate pages. */
const largeBytes = 2 * pageBytes;

export type PagePlan = Pick<ListingHeader, 'hashedPages' | 'large'>;

/** FNV-1a over UTF-16 units with a last mix; part of the format: changing it needs a new format number. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  return (state ^ (state >>> 13)) >>> 0;
}

/** Which of `count` parts a directory belongs to, the same for every listing; `count` is a power of two. */
export const partOf = (directory: string, count: number): number => hash(escapeName(directory)) % count;

/**
 * Entries of a directory are sorted by this key: directories first, then by name without regard to case. A
 * name with undecodable bytes sorts like its escaped form.
 */
export function orderKey(isDirectory: boolean, name: string): string {
  const escaped = escapeName(name);
  return `${isDirectory ? 0 : 1}${escaped.toLowerCase()}\0${escaped}`;
}

/** Decides how many pages a listing has, and which directories get their own. `samples`: order keys of some entries. */
export function planPages(
  directories: Iterable<{ path: string; bytes: number; samples: readonly string[] }>,
): PagePlan {
  const wide: { path: string; bounds: string[] }[] = [];
  let rest = 0;
  for (const { path, bytes, samples } of directories) {
    if (bytes > largeBytes) wide.push({ path, bounds: boundsOf(samples, Math.ceil(bytes / pageBytes)) });
    else rest += bytes + path.length;
  }
  const hashedPages = powerOfTwo(rest / pageBytes);
  const large: PagePlan['large'] = [];
  let next = hashedPages;
  for (const { path, bounds } of wide) {
    large.push([path, next, bounds, Array.from({ length: bounds.length + 1 }, () => 0)]);
    next += bounds.length + 1;
  }
  return { hashedPages, large };
}

/** Cuts the samples into so many parts of one size: the first key of each part but the first. */
function boundsOf(samples: readonly string[], parts: number): string[] {
  const sorted = [...samples].sort();
  const cuts = Array.from(
    { length: parts - 1 },
    (_, n) => sorted[Math.floor(((n + 1) * sorted.length) / parts)],
  );
  return [...new Set(cuts)].filter((cut) => cut !== undefined);
}

/** The least that is not below it, from 1 on. */
const powerOfTwo = (number: number): number => 2 ** Math.max(0, Math.ceil(Math.log2(number)));

export const pageCount = ({ hashedPages, large }: PagePlan): number =>
  large.reduce((sum, [, , bounds]) => sum + bounds.length + 1, hashedPages);

/** A directory with separate pages, each with the next range of its entries. */
export class LargeDirectory {
  constructor(
    readonly path: string,
    private readonly first: number,
    private readonly bounds: readonly string[],
    private readonly counts: number[],
  ) {}

  get total(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  get pages(): number[] {
    return this.counts.map((_, part) => this.first + part);
  }

  pageOf(key: string): number {
    let [low, high] = [0, this.bounds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.bounds[middle] ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    return this.first + low;
  }

  /** Pages with the entries from `offset` on, and how many entries of the first of them come before. */
  pagesFrom(offset: number, limit: number): { pages: number[]; skip: number } {
    const pages: number[] = [];
    let skip = 0;
    let before = 0;
    for (const [part, count] of this.counts.entries()) {
      const end = before + count;
      if (end > offset && before < offset + limit) {
        if (pages.length === 0) skip = offset - before;
        pages.push(this.first + part);
      }
      before = end;
    }
    return { pages, skip: Math.max(0, skip) };
  }

  count(page: number, entries: number): void {
    const part = page - this.first;
    this.counts[part] = (this.counts[part] ?? 0) + entries;
  }

  recount(page: number, entries: number): void {
    this.counts[page - this.first] = entries;
  }
}

/**
 * Finds pages. Paths may be given as they are or with undecodable bytes in their escaped form; a path that really is
 * written so goes first.
 */
export class PageMap {
  readonly #large: Map<string, LargeDirectory>;
  readonly #escaped: Map<string, LargeDirectory>;

  constructor(private readonly plan: PagePlan) {
    const all = plan.large.map((each) => new LargeDirectory(...each));
    this.#large = new Map(all.map((each) => [each.path, each]));
    this.#escaped = new Map(all.map((each) => [escapeName(each.path), each]));
  }

  /** The page of a directory that shares it with others. */
  sharedPage(directory: string): number {
    return partOf(directory, this.plan.hashedPages);
  }

  large(directory: string): LargeDirectory | undefined {
    return this.#large.get(directory);
  }

  /** A large directory of which this is the escaped form. */
  largeWritten(escaped: string): LargeDirectory | undefined {
    return this.#escaped.get(escaped);
  }

  /** Returns the page of an entry and counts it in that page. */
  assign(directory: string, [name, type]: EntryRecord): number {
    const large = this.#large.get(directory);
    if (!large) return this.sharedPage(directory);
    const page = large.pageOf(orderKey(type === directoryCode, name));
    large.count(page, 1);
    return page;
  }

  /** All pages of a directory. */
  pagesOf(directory: string): number[] {
    return this.#large.get(directory)?.pages ?? [this.sharedPage(directory)];
  }
}
