import { setImmediate as nextTurn } from 'node:timers/promises';
import { caseless, composed, escapeName, spellings } from '../../../foundation/kernel/index.js';
import { baseNameOf, joinPath, type ListedEntry } from '../archive-path.rules.js';
import { makeGlob } from '../glob.rules.js';
import type { Listing } from './listing.js';
import { entryOf } from './listing-format.js';
import { nameText } from './listing-page.js';
import { pageCount } from './page-plan.js';
import { pagesAhead } from './pages-ahead.js';

export interface Match {
  directory: string;
  entry: ListedEntry;
}

/**
 * All entries whose names match, in an order that is the same each time. Ends early when the time of the search is over;
 * others come in between.
 */
export async function* searchListing(
  listing: Listing,
  { matcher, time, signal }: { matcher: NameMatcher; time: SearchTime; signal?: AbortSignal | undefined },
): AsyncGenerator<Match> {
  const numbers = Array.from({ length: pageCount(listing.header) }, (_, number) => number);
  // There may be very many small listings.
  await time.rest();
  try {
    for await (const page of pagesAhead(listing, numbers)) {
      time.begin();
      signal?.throwIfAborted();
      for (const { path, records } of matcher.mayMatch(page.names) ? page.directories : []) {
        for (const record of records()) {
          if (time.isTurnOver) await time.rest();
          signal?.throwIfAborted();
          if (time.isOver) return;
          if (matcher.matches(path, record[0])) yield { directory: path, entry: entryOf(record) };
        }
      }
      time.end();
    }
  } finally {
    time.end();
  }
}

const turnMs = 20;
const mostMs = 30_000;

/** How long one search has computed, over all archives that it looks through. Waiting for a listing does not count. */
export class SearchTime {
  #spent = 0;
  #since = Number.POSITIVE_INFINITY;

  constructor(private readonly most = mostMs) {}

  get isOver(): boolean {
    return this.#spent + this.#running >= this.most;
  }

  get isTurnOver(): boolean {
    return this.#running >= turnMs;
  }

  /** Goes on counting after a wait. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Lets others in. */
  async rest(): Promise<void> {
    this.#spent += this.#running;
    await nextTurn();
    this.begin();
  }

  /** Stops counting before a wait. */
  end(): void {
    this.#spent += this.#running;
    this.#since = Number.POSITIVE_INFINITY;
  }

  get #running(): number {
    return Math.max(0, performance.now() - this.#since);
  }
}

export interface NameQuery {
  query: string;
  /** `glob` with a slash is matched against the whole path, otherwise against the name. */
  mode: 'substring' | 'glob';
  caseSensitive: boolean;
}

export interface NameMatcher {
  /** A text that the name of each match has, composed; may be empty. */
  literal: string;
  /** False when no name of a page (as one text) can match. */
  mayMatch(names: string): boolean;
  matches(directory: string, name: string): boolean;
}

/** Undecodable bytes are searched for in their escaped form. */
export function makeNameMatcher({ query: asked, mode, caseSensitive }: NameQuery): NameMatcher {
  const query = composed(asked);
  // An unaccented text is a part of both spellings.
  const spelled = query === asked && spellings(query).length === 1 ? (text: string) => text : composed;
  const folded = caseSensitive ? spelled : (text: string) => caseless(spelled(text));
  const literal = mode === 'substring' ? query : literalOf(query);
  const needle = folded(nameText(literal));
  // In names as they are written on a page a backslash begins an escape.
  const mayMatch = (names: string) => literal.includes('\\') || folded(names).includes(needle);
  if (mode === 'substring') {
    const wanted = folded(query);
    return { literal, mayMatch, matches: (_, name) => folded(escapeName(name)).includes(wanted) };
  }
  const isMatch = makeGlob(query.replace(/^\//, ''), { caseSensitive });
  if (!query.includes('/'))
    return { literal, mayMatch, matches: (_, name) => isMatch(spelled(escapeName(name))) };
  return {
    literal,
    mayMatch,
    matches: (directory, name) => isMatch(spelled(escapeName(joinPath(directory, name)))),
  };
}

/** The longest text that each match of a simple pattern has in its name; of others nothing is known. */
function literalOf(query: string): string {
  const pattern = baseNameOf(query);
  if (/[[\]{}\\]/.test(pattern)) return '';
  return pattern
    .split(/[*?]+/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
