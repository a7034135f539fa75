export const locales = ['en', 'de'] as const;
export type Locale = (typeof locales)[number];

const key = 'holdfast-language';

/** What the person chose, or else the first language of the browser that there are messages for. */
export const locale = (): Locale => {
  chosen ??= known(stored()) ?? navigator.languages.map(known).find((found) => found !== undefined) ?? 'en';
  return chosen;
};
let chosen: Locale | undefined;

/** For numbers and times: the region of the browser counts, `en-GB` has another clock than `en-US`. */
export const formatLocale = (): string =>
  navigator.languages.find((tag) => known(tag) === locale()) ?? locale();

/** In tests, every message is longer and has accents: what is not translated stands out, and so does what breaks. */
export const isPseudo = (): boolean => stored() === 'pseudo';

/** Takes effect when the page is loaded again. */
export function choose(language: Locale): void {
  localStorage.setItem(key, language);
}

const known = (tag: string | null): Locale | undefined =>
  locales.find((language) => tag === language || tag?.startsWith(`${language}-`));

function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
