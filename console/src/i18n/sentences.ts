import { isPseudo, locale } from './locale.js';
import { type Part, plainWords, type Sentence, type Translations, translate } from './translate.js';

const files = {
  en: () => import('../messages/server.en.js'),
  de: () => import('../messages/server.de.js'),
};
let translations: Translations | undefined;

/** The sentences of the server in the words of the console. */
export async function loadSentences(): Promise<void> {
  if (!isPseudo()) translations = (await files[locale()]()).default;
}

/** Of words that stand for a value; undefined without a translation. */
export const wordFor = (name: string, value: string): string | undefined =>
  translations?.words[name]?.[value];

/** The sentence in the language of the page. On a page in another language, English parts are marked. */
export function partsOf(sentence: Sentence): Part[] {
  const parts = translations
    ? translate(sentence, translations)
    : [{ text: plainWords(sentence), lang: 'en' }];
  return locale() === 'en' ? [{ text: parts.map(({ text }) => text).join(''), lang: undefined }] : parts;
}

export interface Answer {
  message: string;
  message_code: string;
  message_params: Sentence['params'];
}

/** The sentence of an answer. */
export const messageIn = ({
  message: text,
  message_code: code,
  message_params: params,
}: Answer): Sentence => ({ code, params, text });

/** For a screen reader. */
export const spoken = (answer: Answer): string =>
  partsOf(messageIn(answer))
    .map(({ text }) => text)
    .join('');
