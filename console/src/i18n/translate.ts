import { shortCode } from './short-code.js';

/** A sentence of the server with its code and values. */
export interface Sentence {
  code: string | null;
  params: Record<string, string | number | readonly string[]>;
  text: string;
}

/** A piece of a sentence. `lang` is undefined for the language of the page. */
export interface Part {
  text: string;
  lang: string | undefined;
}

export interface Translations {
  /** By code, in the bundle by its short code; `{name}` is replaced by a value. */
  sentences: Record<string, string>;
  /** Values that are words, by the names of the values. */
  words: Record<string, Record<string, string>>;
}

const keyOf = (code: string): string => (import.meta.env.PROD ? shortCode(code) : code);

/** The translated sentence. Parts without a translation stay English and are marked. */
export function translate({ code, params, text }: Sentence, { sentences, words }: Translations): Part[] {
  if (code === 'several_sentences') return several({ params, text }, { sentences, words });
  const pieces = code === null ? undefined : sentences[keyOf(code)]?.split(/\{(\w+)\}/);
  // Sentences stored by an earlier release may have fewer values.
  if (!pieces || pieces.some((piece, index) => isName(index) && !(piece in params)))
    return [inEnglish(plainWords({ params, text }))];
  return pieces
    .flatMap((piece, index) =>
      isName(index) ? valueIn(piece, params, { sentences, words }) : [translated(piece)],
    )
    .filter((part) => part.text !== '');
}

const isName = (index: number) => index % 2 === 1;

/** Values that are English texts of the server or a tool. */
export const said = /^(error|failures|holder|job|obstacle|problems?|reason)$/;

function valueIn(name: string, params: Sentence['params'], translations: Translations): Part[] {
  const { sentences, words } = translations;
  const [value, code] = [params[name] ?? '', params[`${name}_code`]];
  // Without its values, only a sentence that needs none can be translated.
  if (typeof code === 'string' && sentences[keyOf(code)] !== undefined)
    return translate({ code, params: parsed(params[`${name}_values`]), text: String(value) }, translations);
  if (typeof value === 'string' && words[name]?.[value] === undefined && said.test(name))
    return [inEnglish(value)];
  const texts = [value].flat().map((each) => words[name]?.[each] ?? each);
  return [translated(texts.join(', '))];
}

/** Each sentence by its own code and values, which releases before did not send. */
function several({ params, text }: Omit<Sentence, 'code'>, translations: Translations): Part[] {
  const [all, codes, values] = [params.sentences, params.codes, params.values].map((list) =>
    [list ?? []].flat(),
  );
  // The first ones of many.
  if (!all || all.join(' ') !== text) return [inEnglish(text)];
  return all.flatMap((each, index) => {
    const given = { code: String(codes?.[index]), params: parsed(values?.[index]), text: String(each) };
    const parts = translate(given, translations);
    return index === 0 ? parts : [translated(' '), ...parts];
  });
}

function parsed(json: unknown): Sentence['params'] {
  try {
    return JSON.parse(String(json)) ?? {};
  } catch {
    return {};
  }
}

const prefix = /^(?:destination|path|[a-z]+(?:_[a-z]+)+): (.)/;
const routes = /\s*[.:;]\s[^.:;]*\b(?:GET|POST|PUT|PATCH|DELETE) \/\S+?(?=\.?(?:\s|$))[^.:;]*/g;
const sent = /: send [^.`]*`\w+`/g;
const limits = / \([A-Z]+(?:_[A-Z]+)+\)/g;
const names = /`?\b(?!authorized_keys|sshd_config)([a-z]+(?:_[a-z]+)+|SECRET_KEY)\b`?/g;

/** An English sentence of the API for users: without routes, and with names of fields and variables as words. */
export function plainWords({ params, text }: Omit<Sentence, 'code'>): string {
  const values = Object.values(params ?? {})
    .flat()
    .join('\n');
  return text
    .replace(prefix, (_, first) => first.toUpperCase())
    .replace(routes, '')
    .replace(sent, '')
    .replace(limits, '')
    .replace(names, (whole, name) =>
      values.includes(name) ? whole : name.replaceAll('_', ' ').toLowerCase(),
    );
}

const translated = (text: string): Part => ({ text, lang: undefined });
const inEnglish = (text: string): Part => ({ text, lang: 'en' });
