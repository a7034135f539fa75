import { duration, moment, number } from '../i18n/format.js';
import { partsOf } from '../i18n/sentences.js';
import { said, type Sentence as Words } from '../i18n/translate.js';

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const amount = /(?<![\w.,])(\d[\d,]*(?:\.\d+)?) (h|d|s|min|[kMGT]?B|%)(?!\w)/g;

/** Formats instants and amounts for users, and keeps units on the line of their numbers. Leaves `names` alone. */
export function readable(text: string, names: readonly string[] = []): string {
  const name = names.find((each) => text.includes(each));
  if (name)
    return text
      .split(name)
      .map((piece) => readable(piece, names))
      .join(name);
  return text
    .replace(instant, (at) => moment(at))
    .replace(amount, (_, digits: string, unit: string) => {
      const value = Number(digits.replaceAll(',', ''));
      if (unit === 'h' && value < 1) return '<\u00a01\u00a0h';
      const shown = unit === 'h' && value >= 48 ? duration(value * 3600) : `${number(value)} ${unit}`;
      return shown.replaceAll(' ', '\u00a0');
    });
}

/** Values with an amount among other words, such as a repository called “Every 72 h”. */
export const namesIn = (params: Words['params']) =>
  Object.entries(params)
    .flatMap(([key, value]) => (said.test(key) || key === 'sentences' ? [] : value))
    .map(String)
    .filter((value) => value.search(amount) >= 0 && value.replace(amount, '') !== '');

type Code = Words['code'];
type Params = Words['params'];

/** Why it failed, if it did. */
export const failureOf = (one: { error_message: string | null; error_code: Code; error_params: Params }) =>
  one.error_message && <Sentence code={one.error_code} params={one.error_params} text={one.error_message} />;

/** The same of its last attempt. */
export const lastErrorOf = (one: {
  last_error: string | null;
  last_error_code: Code;
  last_error_params: Params;
}) =>
  one.last_error && (
    <Sentence code={one.last_error_code} params={one.last_error_params} text={one.last_error} />
  );

/** The reason of a row, if it has one. */
export const reasonOf = (one: { reason: string | null; reason_code: Code; reason_params: Params }) =>
  one.reason && <Sentence code={one.reason_code} params={one.reason_params} text={one.reason} />;

/** A text of a list whose codes are in a list of their own; of earlier releases, there are none. */
export const coded = (text: string, known?: Pick<Words, 'code' | 'params'>): Words => ({
  text,
  code: known?.code ?? null,
  params: known?.params ?? {},
});

/** A sentence of the server: translated by its code, or as it came. */
export function Sentence(words: Words) {
  const parts = partsOf(words);
  const names = namesIn(words.params);
  return (
    <span>
      {parts.map(({ text, lang }) =>
        lang ? <span lang={lang}>{readable(text, names)}</span> : readable(text, names),
      )}
    </span>
  );
}
