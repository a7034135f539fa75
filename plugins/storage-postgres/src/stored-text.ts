/**
 * PostgreSQL keeps no NUL in a text. It stands as U+0001 U+0001 and U+0001 itself as U+0001 U+0002, which keeps the
 * order by code point. JSON texts hold neither: they escape control characters.
 */
export const toStored = (text: string): string =>
  text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001');

export const fromStored = (text: string): string =>
  text.replaceAll('\u0001\u0001', '\0').replaceAll('\u0001\u0002', '\u0001');
