import { shellWord } from '@holdfast/core/server';

/** Quotes one word for a POSIX shell. */
export function quote(word: string): string {
  if (word.includes('\0')) throw new RangeError('a command must not contain NUL');
  return shellWord(word);
}

const commandLine = (words: readonly string[]): string => words.map(quote).join(' ');

/** A fixed prefix, so that one sudo rule allows every command. */
const asRoot = ['env', 'LC_ALL=C', 'sudo', '-n', 'sh', '-c', 'exec "$@"', 'sh'];

/** The line that runs the command, as root if the account has sudo. */
export const lineFor = ({ sudo }: { sudo?: boolean }, command: readonly string[]): string =>
  commandLine([...(sudo ? asRoot : []), ...command]);
