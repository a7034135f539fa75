import picomatch from 'picomatch';
import { baseNameOf, joinPath } from '../../domain/archive-path.js';
import { escapeName } from '../../domain/lossless-name.js';
import { invalid } from '../../errors.js';
import { nameText } from './listing-page.js';

export interface NameQuery {
  query: string;
  /** `glob` with a slash is matched against the whole path, else against the name. */
  mode: 'substring' | 'glob';
  caseSensitive: boolean;
}

export interface NameMatcher {
  /** False when no name of a page (as one text) can match. */
  mayMatch(names: string): boolean;
  matches(directory: string, name: string): boolean;
}

/** More of them make a pattern whose matching time nobody can foresee. */
const mostWildcards = 4;

/** Undecodable bytes are searched for in their escaped form. AppError `invalid` for a pattern that can't be used. */
export function makeNameMatcher({ query, mode, caseSensitive }: NameQuery): NameMatcher {
  const folded = caseSensitive ? (text: string) => text : (text: string) => text.toLowerCase();
  const literal = mode === 'substring' ? query : literalOf(query);
  const needle = folded(nameText(literal));
  // In names as they are written on a page a backslash begins an escape.
  const mayMatch = (names: string) => literal.includes('\\') || folded(names).includes(needle);
  if (mode === 'substring') {
    const wanted = folded(query);
    return { mayMatch, matches: (_, name) => folded(escapeName(name)).includes(wanted) };
  }
  const isMatch = globOf(query, caseSensitive);
  if (!query.includes('/')) return { mayMatch, matches: (_, name) => isMatch(escapeName(name)) };
  return { mayMatch, matches: (directory, name) => isMatch(escapeName(joinPath(directory, name))) };
}

function globOf(query: string, caseSensitive: boolean): (text: string) => boolean {
  if ((query.match(/\*+|[{]/g) ?? []).length > mostWildcards) {
    throw invalid(`query may hold at most ${mostWildcards} times "*" or "{".`);
  }
  try {
    const options = { dot: true, nocase: !caseSensitive, noextglob: true, nonegate: true };
    const expression = picomatch.makeRe(query.replace(/^\//, ''), options);
    return (text) => expression.test(text);
  } catch {
    throw invalid('query is no pattern: it may hold *, ?, [abc], {one,other} and **/.');
  }
}

/** The longest text that each match of a simple pattern has in its name; of others nothing is known. */
function literalOf(query: string): string {
  const pattern = baseNameOf(query);
  if (/[[\]{}()\\!+@|]/.test(pattern)) return '';
  return pattern
    .split(/[*?]+/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
