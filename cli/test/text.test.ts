import { describe, expect, it } from 'vitest';
import { bytes, cut, duration, jsonText, safe, tableLines, widthOf, wrapped } from '../src/text.js';

describe('safe', () => {
  it('escapes everything that a terminal would obey', () => {
    expect(safe('a\x1b[31mb\nc\x9b2Jd\u202ee\ud800')).toBe('a\\x1b[31mb\\x0ac\\x9b2Jd\\u202ee\\ud800');
  });
  it('keeps letters, marks and symbols of all languages', () => {
    const text = 'übung e\u0301 写真 👩‍👩‍👧 שלום';
    expect(safe(text)).toBe(text);
  });
});

it('writes the same JSON without control characters', () => {
  const value = { name: 'a\x1b\x9b\u202e\u2028\n', list: [1] };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.replaceAll('\n', '')).toBe(safe(text.replaceAll('\n', '')));
});

describe('widthOf', () => {
  it.each([
    ['abc', 3],
    ['写真', 4],
    ['ＡＢ', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['❤️', 2],
    ['한글', 4],
  ])('counts the columns of %s', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

describe('cut', () => {
  it('keeps a text that fits', () => expect(cut('写真', 4)).toBe('写真'));
  it('never takes half of a wide character', () => expect(cut('写真写', 4)).toBe('写…'));
});

describe('wrapped', () => {
  it('breaks between words and indents the later lines', () => {
    expect(wrapped('one two three four', 9, 2)).toEqual(['one two', '  three', '  four']);
  });
  it('breaks a long word where the line ends', () => {
    expect(wrapped('/写真/abcdefghij', 8, 2)).toEqual(['/写真/ab', '  cdefgh', '  ij']);
  });
  it('keeps one line when the width is infinite', () => {
    expect(wrapped('one two', Number.POSITIVE_INFINITY)).toEqual(['one two']);
  });
  it.each([20, 40, 80])('never exceeds %d columns', (width) => {
    const text = `  Restore ${'写真'.repeat(30)} from a-very-long-archive-name-${'x'.repeat(90)} and more`;
    for (const line of wrapped(text, width, 4)) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });
});

describe('tableLines', () => {
  const rows = [
    ['写真', '1.0 GB', ''],
    ['home', '20 B', 'damaged'],
  ];
  it('aligns the cells by columns', () => {
    expect(tableLines(rows, 80)).toEqual(['写真  1.0 GB', 'home  20 B    damaged']);
  });
  it('puts the cells below the name when they do not fit', () => {
    expect(tableLines(rows, 20)).toEqual(['写真', '  1.0 GB', 'home', '  20 B  damaged']);
  });
  it('prints nothing for no rows', () => expect(tableLines([], 80)).toEqual([]));
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [301_000_000, '301 MB'],
])('formats %d bytes', (value, text) => expect(bytes(value)).toBe(text));

it.each([
  [3.4, '3 s'],
  [59.7, '1 min'],
  [90, '2 min'],
  [3599, '1 h 0 min'],
  [7500, '2 h 5 min'],
  [7199, '2 h 0 min'],
])('formats %d seconds', (seconds, text) => expect(duration(seconds)).toBe(text));
