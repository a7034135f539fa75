import { isPseudo, locale } from './locale.js';
import { t } from './messages.js';
import { type Part, plainWords, type Sentence, type Translations, translate } from './translate.js';

let translations: Translations | undefined;

/** The translations of the server's sentences; English needs none. */
export async function loadSentences(): Promise<void> {
  if (locale() === 'de' && !isPseudo()) translations = (await import('../messages/server.de.js')).default;
}

/** The sentence in the language of the page, or as the server wrote it. What is in English there is marked. */
export function partsOf(sentence: Sentence): Part[] {
  if (!translations) return [{ text: plainWords(sentence), lang: locale() === 'en' ? undefined : 'en' }];
  const { jobKinds, jobStates } = t.common;
  const kind = { ...jobKinds, 'archive deletion': jobKinds.archive_deletion };
  const words = { ...translations.words, kind, status: jobStates };
  return translate(sentence, { ...translations, words });
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
}: Answer): Sentence => ({
  code,
  params,
  text,
});

/** For a screen reader. */
export const spoken = (answer: Answer): string =>
  partsOf(messageIn(answer))
    .map(({ text }) => text)
    .join('');
