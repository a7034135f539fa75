const simple: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };
const sequence = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([ntr\\]))/g;

/** Decodes Python's `unicode_escape`. A byte that isn't UTF-8 becomes the lone surrogate U+DC00 + byte. */
export function decodeUnicodeEscape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(sequence, (_all, x?: string, u?: string, long?: string, plain?: string) => {
    if (plain !== undefined) return simple[plain] as string;
    return String.fromCodePoint(Number.parseInt((x ?? u ?? long) as string, 16));
  });
}
