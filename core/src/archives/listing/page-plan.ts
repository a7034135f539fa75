import { escapeName } from '../../kernel/index.js';
import type { ListingHeader } from './listing-format.js';

/** Raw bytes of a page, about: large enough to compress well, small enough to be read at once. */
const pageBytes = 230_000;
/** A directory of more than this gets pages of its own. */
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

/** Says how many pages a listing has and which directories get their own. */
export function planPages(directories: Iterable<{ path: string; bytes: number }>): PagePlan {
  const wide = new Map<string, number>();
  let rest = 0;
  for (const { path, bytes } of directories) {
    if (bytes > largeBytes) wide.set(escapeName(path), bytes);
    else rest += bytes + path.length;
  }
  const hashedPages = powerOfTwo(rest / pageBytes);
  const large: PagePlan['large'] = [];
  let next = hashedPages;
  for (const [path, bytes] of wide) {
    const pages = powerOfTwo(bytes / pageBytes);
    large.push([path, next, pages]);
    next += pages;
  }
  return { hashedPages, large };
}

/** The least that is not below it, from 1 on. */
const powerOfTwo = (number: number): number => 2 ** Math.max(0, Math.ceil(Math.log2(number)));

export const pageCount = ({ hashedPages, large }: PagePlan): number =>
  large.reduce((sum, [, , pages]) => sum + pages, hashedPages);

/**
 * Finds pages. It works on escaped paths, so that a name with undecodable bytes and the same name written with
 * the six characters for each are looked up in one place.
 */
export class PageMap {
  readonly #large: Map<string, { first: number; pages: number }>;

  constructor(private readonly plan: PagePlan) {
    this.#large = new Map(plan.large.map(([path, first, pages]) => [path, { first, pages }]));
  }

  /** The form of a path under which large directories are noted. */
  keyOf(directory: string): string {
    return escapeName(directory);
  }

  isLarge(directory: string): boolean {
    return this.#large.has(escapeName(directory));
  }

  /** The page of one entry. */
  pageOf(directory: string, name: string): number {
    const escaped = escapeName(directory);
    const large = this.#large.get(escaped);
    if (!large) return hash(escaped) % this.plan.hashedPages;
    return large.first + (hash(escapeName(name)) % large.pages);
  }

  /** All pages of a directory. */
  pagesOf(directory: string): number[] {
    const escaped = escapeName(directory);
    const large = this.#large.get(escaped);
    if (!large) return [hash(escaped) % this.plan.hashedPages];
    return Array.from({ length: large.pages }, (_, part) => large.first + part);
  }
}
