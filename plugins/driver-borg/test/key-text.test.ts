import { expect, test } from 'vitest';
import { idOfKeyText } from '../src/parse/key-text.js';

const id = 'ab'.repeat(32);
/** A map of four: a text, a number, bytes and a longer text, each with its name. */
const map = Buffer.concat([
  Buffer.from([0x84]),
  Buffer.from([0xa4]),
  Buffer.from('name'),
  Buffer.from([0xa6]),
  Buffer.from('sha256'),
  Buffer.from([0xa1]),
  Buffer.from('n'),
  Buffer.from([0xce, 0, 1, 0x86, 0xa0]),
  Buffer.from([0xa1]),
  Buffer.from('d'),
  Buffer.from([0xda, 0, 60]),
  Buffer.alloc(60, 7),
  Buffer.from([0xa1]),
  Buffer.from('s'),
  Buffer.from([0xc4, 3, 1, 2, 3]),
]);
const textOf = (bytes: Buffer, header = `BORG_KEY ${id}`) =>
  `${header}\n${bytes.toString('base64').replace(/(.{70})/g, '$1\n')}\n`;

test('a whole key names its repository', () => {
  expect(idOfKeyText(textOf(map))).toBe(id);
});

test('a key that was cut anywhere is none', () => {
  for (let length = 0; length < map.length; length++) {
    expect(idOfKeyText(textOf(map.subarray(0, length))), `${length} bytes`).toBeNull();
  }
  const text = textOf(map);
  for (let length = 0; length < text.length - 1; length++) {
    expect(idOfKeyText(`${text.slice(0, length).trimEnd()}\n`), `${length} letters`).toBeNull();
  }
});

test.each([
  ['nothing', ''],
  ['another first line', textOf(map, 'BORG PAPER KEY v1')],
  ['an id that is cut', textOf(map, `BORG_KEY ${id.slice(2)}`)],
  ['something behind it', `${textOf(map)}more`],
  ['more bytes than the map', textOf(Buffer.concat([map, Buffer.from([1])]))],
  ['a list', textOf(Buffer.from([0x91, 1]))],
  ['letters that are none of base64', textOf(map).replace('=', '%')],
])('%s is none', (_what, text) => {
  expect(idOfKeyText(text)).toBeNull();
});
