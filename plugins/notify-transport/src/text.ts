const mark = '…';

/** The length of a text as most services count it. Never less than its number of characters. */
const units = (text: string) => text.length;
export const bytes = (text: string): number => Buffer.byteLength(text);

/** Shortens a text to at most `limit`, between two characters, with an ellipsis. */
export function cut(text: string, limit: number, size: (text: string) => number = units): string {
  if (size(text) <= limit) return text;
  const room = limit - size(mark);
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += size(character);
    if (used > room) break;
    end += character.length;
  }
  return text.slice(0, end) + mark;
}

/** One line without control characters and secrets, at most 300 characters. Masked first: half a secret may remain. */
export function shown(text: string, secrets: readonly string[]): string {
  const masked = secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
  return cut(masked.replace(/[\s\p{Cc}]+/gu, ' ').trim(), 300);
}
