export const locales = ['en', 'de'] as const;
export type Locale = (typeof locales)[number];

const key = 'holdfast-language';

/** The chosen language, otherwise the first supported language of the browser. */
export const locale = (): Locale => {
  chosen ??= known(stored()) ?? navigator.languages.map(known).find((found) => found !== undefined) ?? 'en';
  return chosen;
};
let chosen: Locale | undefined;

/** For numbers and times: the region of the browser counts, `en-GB` has another clock than `en-US`. */
export const formatLocale = (): string =>
  navigator.languages.find((tag) => known(tag) === locale()) ?? locale();

/** For tests: every message is longer and has accents, to reveal untranslated and overflowing text. */
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
