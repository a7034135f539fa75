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
  /** By code; `{name}` stands for a value. */
  sentences: Record<string, string>;
  /** Values that are words, by the names of the values. */
  words: Record<string, Record<string, string>>;
}

/** The sentence in the language of the translations. What they lack stays English, and is marked so. */
export function translate({ code, params, text }: Sentence, { sentences, words }: Translations): Part[] {
  if (code === 'several_sentences') return several({ params, text }, sentences);
  const template = code === null ? undefined : sentences[code];
  if (template === undefined) return [inEnglish(plainWords({ params, text }))];
  const pieces = template.split(/\{(\w+)\}/);
  // What an earlier release stored may have fewer values.
  if (pieces.some((piece, index) => isName(index) && !(piece in params))) return [inEnglish(text)];
  return pieces
    .map((piece, index) => (isName(index) ? valueIn(piece, params, { sentences, words }) : translated(piece)))
    .filter((part) => part.text !== '');
}

const isName = (index: number) => index % 2 === 1;

/** Values that are what the server or a tool says, in English. */
const said = /^(error|failures|holder|job|obstacle|problems?|reason)$/;

function valueIn(name: string, params: Sentence['params'], { sentences, words }: Translations): Part {
  const known = withoutValues(params[`${name}_code`], sentences);
  if (known !== undefined) return translated(known);
  const value = params[name] ?? '';
  if (typeof value === 'string' && words[name]?.[value] === undefined && said.test(name))
    return inEnglish(value);
  return translated(
    [value]
      .flat()
      .map((each) => words[name]?.[each] ?? each)
      .join(', '),
  );
}

/** The values of each sentence are not known: only those that need none can be translated. */
function several({ params, text }: Omit<Sentence, 'code'>, sentences: Translations['sentences']): Part[] {
  const [all, codes] = [[params.sentences ?? []].flat(), [params.codes ?? []].flat()];
  // The first ones of many.
  if (all.join(' ') !== text) return [inEnglish(text)];
  return all.flatMap((each, index) => {
    const known = withoutValues(codes[index], sentences);
    const part = known === undefined ? inEnglish(String(each)) : translated(known);
    return index === 0 ? [part] : [translated(' '), part];
  });
}

function withoutValues(code: unknown, sentences: Translations['sentences']): string | undefined {
  const template = typeof code === 'string' ? sentences[code] : undefined;
  return template?.includes('{') ? undefined : template;
}

const routes = /\s*[.:;]\s[^.:;]*\b(?:GET|POST|PUT|PATCH|DELETE) \/\S+?(?=\.?(?:\s|$))[^.:;]*/g;
const variables = / \([A-Z]+(?:_[A-Z]+)+\)/g;
const fields = /`?\b([a-z]+(?:_[a-z]+)+)\b`?/g;

/** An English sentence of the API as people read it: without addresses, and names of fields as words. */
export function plainWords({ params, text }: Omit<Sentence, 'code'>): string {
  const values = Object.values(params ?? {})
    .flat()
    .join('\n');
  return text
    .replace(routes, '')
    .replace(variables, '')
    .replace(fields, (whole, name) => (values.includes(name) ? whole : name.replaceAll('_', ' ')));
}

const translated = (text: string): Part => ({ text, lang: undefined });
const inEnglish = (text: string): Part => ({ text, lang: 'en' });
