import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { makeGlob } from '../../src/backup/archives/glob.rules.js';

const matches = (pattern: string, text: string, caseSensitive = true) =>
  makeGlob(pattern, { caseSensitive })(text);

describe('a pattern', () => {
  test.each([
    ['*.txt', 'a.txt', true],
    ['*.txt', '.txt', true],
    ['*.txt', 'd/a.txt', false],
    ['*.*', 'a.', true],
    ['a*', 'a', true],
    ['?', 'é', true],
    ['?', '', false],
    ['**/a.txt', 'a.txt', true],
    ['**/a.txt', 'x/y/a.txt', true],
    ['**/a.txt', 'x/ya.txt', false],
    ['a/**', 'a', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'ab', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'a/xb', false],
    ['**', 'a/b', true],
    ['a**b', 'axb', true],
    ['a**b', 'a/b', false],
    ['[abc]', 'b', true],
    ['[a-c]x', 'bx', true],
    ['[^a]', 'a', false],
    ['[!a]', 'b', true],
    ['[^a]', '/', false],
    ['track [1].mp3', 'track [1].mp3', true],
    ['track [1].mp3', 'track 1.mp3', true],
    ['[]x]', ']', true],
    ['[a', '[a', true],
    ['{one,other}', 'other', true],
    ['{a,b{c,d}}.{x,}', 'bd.', true],
    ['{a}', '{a}', true],
    ['{a,b', '{a,b', true],
    ['{**/a,b/*}', 'b/x', true],
    ['{1..3}', '2', true],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['report (1|2)+!"@$^.*', 'report (1|2)+!"@$^.pdf', true],
    ['.*', '.profile', true],
    ['', 'a', false],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test('ignores case', () => {
    expect(matches('ÄB[c-d]*', 'äbDx', false)).toBe(true);
    expect(matches('ab', 'aB')).toBe(false);
  });
});

test('matches ordinary patterns like another implementation', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', '.', '-', '1', ' '),
    minLength: 1,
    maxLength: 4,
  });
  const plain = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', '.', '1', ' '),
    minLength: 1,
    maxLength: 2,
  });
  const piece = fc.oneof(
    plain,
    fc.constantFrom('*', '?', '[ab]', '[a-b1]', '[^a]', '{a,b}', '{a*,b,.1}', '{a,{b,1}}'),
  );
  const segment = fc.oneof(
    { weight: 1, arbitrary: fc.constant('**') },
    { weight: 3, arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')) },
  );
  const path = (part: fc.Arbitrary<string>) =>
    fc.array(part, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
  // Left out: what is no name, and what is read differently from one library to the next.
  const isOrdinary = (text: string) => !/(^|\/)\.\.?(\/|$)|\*\*\/\*\*|\*\*[^/]|[^/]\*\*|\*\/\*\*$/.test(text);
  fc.assert(
    fc.property(path(segment), path(name), fc.boolean(), (pattern, text, caseSensitive) => {
      fc.pre(isOrdinary(text) && isOrdinary(pattern));
      // Its shortcuts read `*.*` unlike its parser, and unlike a shell.
      const options = {
        dot: true,
        nocase: !caseSensitive,
        noextglob: true,
        nonegate: true,
        fastpaths: false,
      };
      expect(matches(pattern, text, caseSensitive)).toBe(picomatch.makeRe(pattern, options).test(text));
    }),
    { numRuns: 5_000 },
  );
});

/** No bound by a clock: with backtracking each of these would outlast any test. */
describe('scans hostile names and patterns only once', () => {
  const deep = Array.from({ length: 1000 }, () => 'a').join('/');
  test.each([
    ['**/a/**/a/**/c?', `${deep}/b`],
    ['**/a/**/a/**/a/**/a/**/a/**/a/**/c?', `${deep}/b`],
    ['*a*a*a*b', 'a'.repeat(4000)],
    [`${'*a'.repeat(120)}b`, 'a'.repeat(4000)],
    ['**/{a,ab}/**/[a]/**/a?', `${deep}/b`],
    [`${'{a,'.repeat(60)}b${'}'.repeat(60)}*{a,aa}*{a,aa}*c`, 'a'.repeat(4000)],
    [`*a${'?'.repeat(201)}b`, 'ab'.repeat(2000)],
  ])('%s', (pattern, text) => {
    expect(matches(pattern, text)).toBe(false);
  });
});
