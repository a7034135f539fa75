/**
 * A pattern for exactly one path of an archive, in ASCII. Everything but plain letters is escaped, so that bytes that
 * aren't UTF-8 can be named and nothing acts as a wildcard. `\Z` is the very end, even after a newline.
 */
export const exactPathPattern = (path: string): string => `re:\\A${escaped(path)}\\Z`;

/** As `exactPathPattern`, for the path and everything below it. */
export const treePattern = (path: string): string => `re:\\A${escaped(path)}(?:/|\\Z)`;

/** Linux limits the length of one argument to 128 KiB. */
const longestPattern = 100_000;
/** Python compiles nested groups recursively. */
const deepest = 20;

/**
 * Patterns for exactly these paths, of which there may be thousands. The tool tries each pattern on each entry, so
 * they are few: folders that paths share stand once, and an entry elsewhere is told from them by a few characters.
 */
export function exactPatterns(paths: readonly string[]): string[] {
  const groups: string[][] = [];
  let length = longestPattern;
  for (const path of paths) {
    const own = escaped(path).length + 8 * Math.min(deepest, path.split('/').length);
    length += own;
    if (length > longestPattern) {
      groups.push([]);
      length = own;
    }
    groups.at(-1)?.push(path);
  }
  return groups.map((some) => `re:\\A${anyOf(some, 0)}\\Z`);
}

/** An expression for any of some paths, by their first segments. */
function anyOf(paths: readonly string[], depth: number): string {
  const below = new Map<string, string[]>();
  const whole: string[] = [];
  for (const path of paths) {
    const slash = depth < deepest ? path.indexOf('/') : -1;
    if (slash < 0) whole.push(escaped(path));
    else {
      const segment = path.slice(0, slash + 1);
      const rests = below.get(segment) ?? [];
      below.set(segment, rests);
      rests.push(path.slice(slash + 1));
    }
  }
  const branches = [
    ...whole,
    ...[...below].map(([segment, rests]) => `${escaped(segment)}${anyOf(rests, depth + 1)}`),
  ];
  return branches.length === 1 ? `${branches[0]}` : `(?:${branches.join('|')})`;
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
