/** Windows-1252, which the fonts that every PDF reader has can print, without blanks that look like others. */
const paper =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]$/u;
/** Characters that a file can show: not invisible, and without effect on their neighbours. */
const screen = /^[^\p{C}\p{M}\p{Z}]$|^ $/u;

export type Medium = 'paper' | 'screen';

/**
 * An unambiguous text: characters that the medium cannot show, and blanks that cannot be counted, become
 * `\u{…}`.
 */
export function visible(text: string, medium: Medium): string {
  const can = medium === 'paper' ? paper : screen;
  const characters = [...text];
  const isClear = (character: string, at: number) =>
    can.test(character) && (character !== ' ' || isCountable(characters, at));
  if (characters.every(isClear)) return text;
  return characters
    .map((character, at) =>
      character === '\\' ? '\\\\' : isClear(character, at) ? character : codeOf(character),
    )
    .join('');
}

/** A single blank between two words. */
const isCountable = (all: readonly string[], at: number) => {
  const [before, after] = [all[at - 1], all[at + 1]];
  return before !== undefined && after !== undefined && before !== ' ' && after !== ' ';
};

const codeOf = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
