/** Quotes one word for a POSIX shell. */
export function quote(word: string): string {
  if (word.includes('\0')) throw new RangeError('a command must not contain NUL');
  return /^[\w/.:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export const commandLine = (words: readonly string[]): string => words.map(quote).join(' ');
