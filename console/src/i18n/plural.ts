import { locale } from './locale.js';

/** The form for a number, by the rules of the language. `one` and `other` are enough for English and German. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return pluralRules().select(count) === 'one' ? forms.one : forms.other;
}

let rules: Intl.PluralRules | undefined;
const pluralRules = () => {
  rules ??= new Intl.PluralRules(locale());
  return rules;
};
