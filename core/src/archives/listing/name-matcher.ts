import { baseNameOf, joinPath } from '../archive-path.rules.js';
import { makeGlob } from '../glob.rules.js';
import { escapeName } from '../../kernel/lossless-name.rules.js';
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

/** Undecodable bytes are searched for in their escaped form. */
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
  const isMatch = makeGlob(query.replace(/^\//, ''), { caseSensitive });
  if (!query.includes('/')) return { mayMatch, matches: (_, name) => isMatch(escapeName(name)) };
  return { mayMatch, matches: (directory, name) => isMatch(escapeName(joinPath(directory, name))) };
}

/** The longest text that each match of a simple pattern has in its name; of others nothing is known. */
function literalOf(query: string): string {
  const pattern = baseNameOf(query);
  if (/[[\]{}\\]/.test(pattern)) return '';
  return pattern
    .split(/[*?]+/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
