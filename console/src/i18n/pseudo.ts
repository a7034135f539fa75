const accents: Record<string, string> = { a: 'á', e: 'ê', i: 'ï', o: 'ø', u: 'ů', n: 'ñ', s: 'š', c: 'ç' };

/** Text of about 40 % more length, with accents, in brackets that show where it is cut off. */
const stretch = (text: string): string => {
  const accented = text.replace(/[aeiounsc]/g, (letter) => accents[letter] ?? letter);
  return `⟦${accented}${' ẋ'.repeat(Math.ceil(text.length / 5))}⟧`;
};

/** The same messages, each longer. */
export function lengthen<T>(messages: T): T {
  if (typeof messages === 'string') return stretch(messages) as T;
  if (typeof messages === 'function')
    return ((...given: unknown[]) => lengthen((messages as (...all: unknown[]) => unknown)(...given))) as T;
  if (typeof messages !== 'object' || messages === null) return messages;
  return Object.fromEntries(Object.entries(messages).map(([key, value]) => [key, lengthen(value)])) as T;
}
