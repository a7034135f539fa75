import { duration, moment, number } from '../i18n/format.js';
import { partsOf } from '../i18n/sentences.js';
import type { Sentence as Words } from '../i18n/translate.js';

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const amount = /(?<![\w.,])(\d[\d,]*(?:\.\d+)?) (h|d|s|min|[kMGT]?B|%)(?!\w)/g;

/** Formats instants and amounts for users, and keeps units on the line of their numbers. */
export const readable = (text: string) =>
  text
    .replace(instant, (at) => moment(at))
    .replace(amount, (_, digits: string, unit: string) => {
      const value = Number(digits.replaceAll(',', ''));
      if (unit === 'h' && value < 1) return '<\u00a01\u00a0h';
      const shown = unit === 'h' && value >= 48 ? duration(value * 3600) : `${number(value)} ${unit}`;
      return shown.replaceAll(' ', '\u00a0');
    });

/** A sentence of the server: translated by its code, or as it came. */
export function Sentence(words: Words) {
  const parts = partsOf(words);
  return (
    <span>
      {parts.map(({ text, lang }) => (lang ? <span lang={lang}>{readable(text)}</span> : readable(text)))}
    </span>
  );
}
