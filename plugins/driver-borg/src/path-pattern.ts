/**
 * A pattern for exactly one path of an archive, in ASCII. Everything but plain letters is escaped, so that bytes that
 * aren't UTF-8 can be named and nothing acts as a wildcard. `\Z` is the very end, even after a newline.
 */
export const exactPathPattern = (path: string): string => `re:\\A${escaped(path)}\\Z`;

/** As `exactPathPattern`, for the path and everything below it. */
export const treePattern = (path: string): string => `re:\\A${escaped(path)}(?:/|\\Z)`;

function escaped(path: string): string {
  return Array.from(path, (character) => {
    if (/[A-Za-z0-9_/]/.test(character)) return character;
    const code = character.codePointAt(0) as number;
    const hex = code.toString(16);
    if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
    return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  }).join('');
}
