import { describe, expect, test } from 'vitest';
import { stepsOf } from '../src/screens/browse/paths.rules.js';
import {
  imageIn,
  isMisnamed,
  mostImage,
  mostText,
  pixelsOf,
  textIn,
  wanted,
} from '../src/screens/browse/preview.rules.js';

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))));

const png = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 1, 2, 0, 0, 0, 3]);
const jpeg = bytes(
  [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
  // Looks like the size of a frame, but is inside a segment.
  [0xff, 0xe1, 0, 9, 0xff, 0xc0, 0, 1, 8, 0, 1],
  [0xff, 0xc4, 0, 2, 0xff, 0xc2, 0, 11, 8, 0, 20, 0, 30],
);
const gif = bytes('GIF89a', [2, 1, 3, 0]);
const webp = (kind: string, rest: number[]) =>
  bytes('RIFF', [0, 0, 0, 0], `WEBPVP8${kind}`, [0, 0, 0, 0], rest);
const box = (width: number, height: number) => bytes('ispe', [0, 0, 0, 0, 0, 0, width, 0, 0, 0, height, 0]);
const avif = bytes([0, 0, 0, 32], 'ftypmif1', [0, 0, 0, 0], 'mif1avif', [
  ...box(1, 1),
  ...box(2, 3),
  ...box(1, 2),
]);

describe('a preview', () => {
  test.each([
    ['png', png, 258 * 3],
    ['jpeg', jpeg, 20 * 30],
    ['gif', gif, 258 * 3],
    ['webp', webp(' ', [0, 0, 0, 0x9d, 1, 0x2a, 16, 0x40, 3, 0]), 16 * 3],
    ['webp', webp('L', [0x2f, 0xff, 0xc0, 0, 0]), 256 * 4],
    ['webp', webp('X', [0, 0, 0, 0, 0, 1, 0, 2, 0, 0]), 257 * 3],
    ['avif', avif, 512 * 768],
  ] as const)('knows the type and the pixels of %s', (type, start, pixels) => {
    expect(imageIn(start)).toBe(type);
    expect(pixelsOf(start, type)).toBe(pixels);
    expect(pixelsOf(start.subarray(0, 9), type)).toBe(0);
  });

  test.each([
    '',
    '<svg onload="x">',
    'PNG\r\n',
    'RIFF0000WAVE',
    '....ftypheic',
    '<!doctype html>GIF89a',
    '\xff\xd8',
  ])('rejects %j as an image', (text) => expect(imageIn(bytes(text))).toBeNull());

  test.each([
    ['a.png', 'png', false],
    ['a.JPG', 'jpeg', false],
    ['a.txt', 'png', true],
    ['a.png', 'gif', true],
    ['a.png', null, true],
    ['a.txt', null, false],
    ['png', 'png', false],
    ['.png', null, false],
    ['a.constructor', null, false],
  ] as const)('compares the name %s with %s', (name, found, isWrong) =>
    expect(isMisnamed(name, found)).toBe(isWrong),
  );

  test('reads a part of texts and only the head of large images', () => {
    expect(wanted(bytes('text'), 1e9)).toBe(mostText);
    expect(wanted(png, mostImage)).toBe(mostImage);
    expect(wanted(png, mostImage + 1)).toBeLessThan(100);
  });

  test.each([
    [bytes('a\tb\r\n\x1b[1m'), 'a\tb\r\n\x1b[1m'],
    [new TextEncoder().encode('Grüße').subarray(0, 6), 'Grüß'],
    [new TextEncoder().encode('Grüße').subarray(0, 5), 'Grü'],
    [bytes('Gr\xfc\xdfe'), 'Grüße'],
    [bytes('\xff\xfea\0\xac\x20'), 'a€'],
    [bytes('\xfe\xff\0a\x20'), 'a'],
    [bytes('\xff\xfe\0\0\0\0'), null],
    [bytes('a\0b'), null],
    [bytes('%PDF-1.7 \x01'), null],
  ])('decodes %j as %j', (start, text) => expect(textIn(start)).toBe(text));
});

test('puts an archive on the slider, or before it', () => {
  const archives = Array.from({ length: 400 }, (_, index) => ({ name: `day-${index}`, id: `id-${index}` }));
  expect(stepsOf(archives, 'day-7')).toEqual({ min: 0, max: 399, at: 7 });
  expect(stepsOf(archives, 'id-399')).toEqual({ min: 0, max: 399, at: 399 });
  expect(stepsOf(archives, 'gone')).toEqual({ min: -1, max: 399, at: -1 });
  expect(stepsOf([], 'gone')).toEqual({ min: -1, max: -1, at: -1 });
});
