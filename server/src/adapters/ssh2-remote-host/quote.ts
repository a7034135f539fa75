/** One word for a POSIX shell: everything in it is data. */
export function quote(word: string): string {
  if (word.includes('\0')) throw new RangeError('no word of a command holds NUL');
  return /^[\w/.:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export const commandLine = (words: readonly string[]): string => words.map(quote).join(' ');
