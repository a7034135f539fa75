import { caseless, composed, escapeName } from '@holdfast/core/server';

/** Begins an escape in stored names: SQLite stores only well-formed text without NUL. */
const mark = '\u{10fffd}';
const shift = 0xd700;

/** Names as they are stored: bytes that are not UTF-8 (lone surrogates) survive, and no two become the same. */
export const storedName = (name: string): string =>
  name.replace(/[\0\ud800-\udfff]|\u{10fffd}/gu, (each) => {
    if (each === mark) return mark + mark;
    return mark + (each === '\0' ? '0' : shifted(each, -shift));
  });

export const realName = (stored: string): string =>
  stored.includes(mark)
    ? stored.replace(/\u{10fffd}(.)/gsu, (_, each: string) => {
        if (each === mark) return mark;
        return each === '0' ? '\0' : shifted(each, shift);
      })
    : stored;

const shifted = (unit: string, by: number): string => String.fromCharCode(unit.charCodeAt(0) + by);

/** Whatever a search compares is in it: the name in its own spelling and in the composed one. */
export function searchText(stored: string): string {
  const name = escapeName(realName(stored));
  const other = composed(name);
  return other === name ? caseless(name) : `${caseless(name)}\n${caseless(other)}`;
}

const mostTrigrams = 200;

/** Some of three letters that each name with the text has; none of shorter texts. */
export function trigramsOf(literal: string): string[] {
  const letters = [...caseless(literal)];
  const count = letters.length - 2;
  const step = Math.max(1, count / mostTrigrams);
  const chosen = new Set<string>();
  for (let at = 0; at < count; at += step) {
    const first = Math.floor(at);
    chosen.add(letters.slice(first, first + 3).join(''));
  }
  return [...chosen].filter((each) => !/[\0\ud800-\udfff]/u.test(each));
}

/** An FTS5 query. */
export const allOf = (trigrams: readonly string[]): string =>
  trigrams.map((each) => `"${each.replaceAll('"', '""')}"`).join(' AND ');

const ascii = /^[\0-\x7f]*$/;

/** A part that SQLite's `lower` can find in names of ASCII letters; of others nothing is known. */
export const shortPart = (literal: string): string => (ascii.test(literal) ? literal.toLowerCase() : '');

export const joined = (directory: string, name: string): string =>
  directory === '' ? name : `${directory}/${name}`;
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
