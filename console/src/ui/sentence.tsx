import { moment } from '../i18n/format.js';
import { partsOf } from '../i18n/sentences.js';
import type { Sentence as Words } from '../i18n/translate.js';

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Formats instants for users, and keeps units on the line of their numbers. */
const readable = (text: string) =>
  text.replace(instant, (at) => moment(at)).replace(/(\d) (h|d|s|min|[kMGT]?B|%)(?!\w)/g, '$1\u00a0$2');

/** A sentence of the server: translated by its code, or as it came. */
export function Sentence(words: Words) {
  const parts = partsOf(words);
  return (
    <span>
      {parts.map(({ text, lang }) => (lang ? <span lang={lang}>{readable(text)}</span> : readable(text)))}
    </span>
  );
}
