import { type Key, readPaperKey } from './paper-key.js';

/** Ten times what any key needs. */
const mostBytes = 8 * 1024;

/** A key in any form in which borg exports one, however it was kept; null for other texts and incomplete keys. */
export function readKey(text: string): Key | null {
  const isPage = text.trimStart().startsWith('<');
  const plain = isPage ? (text.slice(text.indexOf('BORG_KEY ')).split('<', 1)[0] ?? '') : text;
  const lines = plain
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const key = readPaperKey(lines) ?? readFile(lines);
  return key && isWholeMap(key.data) ? key : null;
}

function readFile([first = '', ...lines]: string[]): Key | null {
  const [, id] = /^BORG_KEY ([0-9a-f]{64})$/.exec(first) ?? [];
  const letters = lines.join('');
  if (id === undefined || letters.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(letters)) return null;
  return { id, data: Buffer.from(letters, 'base64') };
}

/**
 * The key in an export, without what a stranger wrote around it: like borg, this skips letters that are none of base64,
 * and all that follows its end.
 */
export function readExportedKey(text: string): Key | null {
  const [first = '', ...lines] = text.split('\n');
  const [letters = ''] = lines
    .join('')
    .replace(/[^A-Za-z0-9+/=]/g, '')
    .split('=', 1);
  return readKey(`${first}\n${letters}${'='.repeat(-letters.length & 3)}`);
}

/** As `borg key export` writes it. */
export const keyText = ({ id, data }: Key): string =>
  `BORG_KEY ${id}\n${data.toString('base64').replace(/.{1,70}/g, '$&\n')}`;

/** The key is one MessagePack map of texts and numbers. The tool crashes on an incomplete one. */
function isWholeMap(bytes: Buffer): boolean {
  const first = bytes[0] ?? 0;
  if (first >> 4 !== 0x8 || bytes.length > mostBytes) return false;
  let at = 1;
  for (let left = (first & 0x0f) * 2; left > 0; left--) {
    const size = sizeOfValue(bytes, at);
    if (size === null) return false;
    at += size;
  }
  return at === bytes.length;
}

/** Size including the head of the value; null if no value begins there, or its head is cut off. */
function sizeOfValue(bytes: Buffer, at: number): number | null {
  const head = bytes[at];
  if (head === undefined) return null;
  if (head < 0x80) return 1;
  if (head >> 5 === 0x5) return 1 + (head & 0x1f);
  const numbers: Record<number, number> = { 204: 2, 205: 3, 206: 5, 207: 9 };
  if (numbers[head] !== undefined) return numbers[head];
  const sized: Record<number, number> = { 196: 1, 217: 1, 197: 2, 218: 2 };
  const length = sized[head];
  if (length === undefined || at + 1 + length > bytes.length) return null;
  return 1 + length + bytes.readUIntBE(at + 1, length);
}
