import { canonicalPath } from '@holdfast/plugin-api/driver';

/**
 * A pattern for exactly one path of an archive, in ASCII. Everything but plain letters is escaped, so that bytes that
 * aren't UTF-8 can be named and nothing acts as a wildcard. `\Z` is the very end, even after a newline.
 */
export const exactPathPattern = (path: string): string => `re:\\A${escaped(path)}\\Z`;

/** As `exactPathPattern`, for the path and everything below it. */
export const treePattern = (path: string): string => `re:\\A${escaped(path)}(?:/|\\Z)`;

/** Linux limits the length of one argument. */
const longestPattern = 60_000;

/**
 * Patterns for exactly these paths, of which there may be thousands. The tool looks up `pf:` in a table, but tries
 * every other pattern on every entry: so what `pf:` can't name becomes a few alternations.
 */
export function exactPatterns(paths: readonly string[]): string[] {
  const isPlain = (path: string) => /^[\x20-\x7e]+$/.test(path) && canonicalPath(path) === path;
  const plain = paths.filter(isPlain);
  const others = paths.filter((path) => !isPlain(path)).map(escaped);
  const groups: string[][] = [];
  let length = longestPattern;
  for (const each of others) {
    length += each.length + 1;
    if (length > longestPattern) {
      groups.push([]);
      length = each.length;
    }
    groups.at(-1)?.push(each);
  }
  return [...plain.map((path) => `pf:${path}`), ...groups.map((some) => `re:\\A(?:${some.join('|')})\\Z`)];
}

function escaped(path: string): string {
  return Array.from(path, (character) => {
    if (/[A-Za-z0-9_/]/.test(character)) return character;
    const code = character.codePointAt(0) as number;
    const hex = code.toString(16);
    if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
    return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  }).join('');
}
