import { quotedWord } from '../../../foundation/kernel/index.js';

/** Characters of one line of a sheet. */
export const sheetWidth = 98;

/**
 * A value or word for any POSIX shell, after `before` on its line. Safe to type from paper: characters that
 * are hard to see or type become octal numbers, and long values continue on the next line.
 */
export function shellLines(before: string, text: string, after = ''): string[] {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && !/^ | $| {2}/.test(text);
  const quote = isPlain ? quotedWord : printed;
  const pieces: string[] = [];
  let piece = '';
  // A line also holds what goes before or after it, and the backslash.
  const room = () => sheetWidth - 1 - (pieces.length === 0 ? before.length : 0);
  const cut = () => {
    const end = piece.replace(/\n+$/, '');
    if (end !== '' || piece === '') pieces.push(end);
    pieces.push(...piece.slice(end.length));
    piece = '';
  };
  for (const character of text) {
    if (quote(piece + character).length > room() && piece !== '') cut();
    piece += character;
  }
  cut();
  const words = pieces.map((each) => (each === '\n' ? quotedWord(each) : quote(each)));
  return `${before}${words.join('\\\n')}${after}`.split('\n');
}

/** Of `printf`, which every shell has. It loses line breaks at the end. */
const printed = (text: string) =>
  `"$(printf -- '${[...Buffer.from(text, 'utf8')].map((byte) => octet(byte)).join('')}')"`;

/** An interactive shell replaces `!` even here. */
function octet(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === '%') return '%%';
  return /["-&(-[\]-~]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
}
