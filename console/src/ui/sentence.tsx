import { sentenceOf, type Sentence as Words } from '../i18n/sentences.js';

/** A sentence of the server: translated by its code, or as it came. */
export function Sentence(words: Words) {
  const { text, lang } = sentenceOf(words);
  return <span lang={lang}>{text}</span>;
}
