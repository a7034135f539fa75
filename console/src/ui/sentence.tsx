import { partsOf } from '../i18n/sentences.js';
import type { Sentence as Words } from '../i18n/translate.js';

/** A sentence of the server: translated by its code, or as it came. */
export function Sentence(words: Words) {
  const parts = partsOf(words);
  return <span>{parts.map(({ text, lang }) => (lang ? <span lang={lang}>{text}</span> : text))}</span>;
}
