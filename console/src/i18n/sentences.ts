import { isPseudo, locale } from './locale.js';

/** A sentence of the server with its code and values. */
export interface Sentence {
  code: string | null;
  params: Record<string, string | number | readonly string[]>;
  text: string;
}

type Translations = Record<string, (params: Record<string, string>) => string>;
let translations: Translations | undefined;

/** The translations of the server's sentences; English needs none. */
export async function loadSentences(): Promise<void> {
  if (locale() === 'de' && !isPseudo()) translations = (await import('../messages/server.de.js')).default;
}

/** The sentence in the language of the page, or as the server wrote it, marked as English. */
export function sentenceOf({ code, params, text }: Sentence): { text: string; lang: string | undefined } {
  const translate = code === null ? undefined : translations?.[code];
  if (!translate) return { text, lang: locale() === 'en' ? undefined : 'en' };
  const values = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
  return { text: translate(Object.fromEntries(values)), lang: undefined };
}
