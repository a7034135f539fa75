import { expect, test } from 'vitest';
import { makeNameMatcher } from '../../src/backup/archives/listing/search-listing.js';
import { Selection } from '../../src/backup/restore/restore.rules.js';

const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301'];

test.each([
  [composed, decomposed],
  [decomposed, composed],
])('finds %j in %j with any normalisation of accents', (asked, stored) => {
  for (const query of [
    { query: asked, mode: 'substring' },
    { query: `${asked}*`, mode: 'glob' },
  ] as const) {
    const matcher = makeNameMatcher({ ...query, caseSensitive: true });
    expect(matcher.mayMatch(`"${stored}.txt"`)).toBe(true);
    expect(matcher.matches('', `${stored}.txt`)).toBe(true);
    expect(matcher.matches('', 'Cafe.txt')).toBe(false);
  }
  const selection = new Selection([`home/${asked}`]);
  expect(selection.has(`home/${stored}/menu`)).toBe(true);
  expect(selection.has('home/Cafe/menu')).toBe(false);
  expect([selection.missing, selection.real]).toEqual([[], [`home/${stored}`]]);
});

test.each([
  ['ΟΔΟΣ', 'οδοσήμανση'],
  ['οδός', 'ΟΔΌΣΗΜΟ'],
])('finds %j in %j with capital and small letters', (asked, stored) => {
  for (const query of [
    { query: asked, mode: 'substring' },
    { query: `${asked}*`, mode: 'glob' },
  ] as const) {
    const matcher = makeNameMatcher({ ...query, caseSensitive: false });
    expect(matcher.mayMatch(`"${stored}"`)).toBe(true);
    expect(matcher.matches('', stored)).toBe(true);
    expect(makeNameMatcher({ ...query, caseSensitive: true }).matches('', stored)).toBe(false);
  }
});
