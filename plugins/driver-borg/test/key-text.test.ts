import { expect, test } from 'vitest';
import { keyText, readExportedKey, readKey } from '../src/parse/key-text.js';

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
const idOf = (text: string) => readKey(text)?.id ?? null;
const textOf = (bytes: Buffer, header = `BORG_KEY ${id}`) =>
  `${header}\n${bytes.toString('base64').replace(/(.{70})/g, '$1\n')}\n`;

test('finds the repository id in a complete key', () => {
  expect(idOf(textOf(map))).toBe(id);
});

test('rejects a truncated key', () => {
  for (let length = 0; length < map.length; length++) {
    expect(idOf(textOf(map.subarray(0, length))), `${length} bytes`).toBeNull();
  }
  const text = textOf(map);
  for (let length = 0; length < text.length - 1; length++) {
    expect(idOf(`${text.slice(0, length).trimEnd()}\n`), `${length} letters`).toBeNull();
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
])('rejects %s', (_what, text) => {
  expect(idOf(text)).toBeNull();
});

const kept = textOf(map);
test.each([
  ['a byte order mark', `\uFEFF${kept}`],
  ['line ends of Windows', kept.replaceAll('\n', '\r\n')],
  ['indentation', kept.replace(/^/gm, '\t ')],
  ['empty lines around', `\n\n${kept}\n\n`],
  ['the page of a printer', `<!doctype html>\n<textarea id="k">${kept}</textarea>\n<p>`],
])('reads a key with %s', (_what, text) => {
  expect(keyText(readKey(text) ?? expect.fail('no key'))).toBe(keyText({ id, data: map }));
});

const padded = Buffer.concat([Buffer.from([0x81, 0xa1, 0x6e, 0xa2]), Buffer.from('ab')]);
test.each([
  ['\n\tEND\n\ttouch /tmp/canary\n', Buffer.concat([padded, Buffer.alloc(0)])],
  ['=\nEND\ntouch /tmp/canary\n', Buffer.from([0x81, 0xa1, 0x6e, 0xa1, 0x61])],
])('rewrites an exported key without the text after it: %j', (more, data) => {
  const whole = keyText({ id, data });
  const text = data.length % 3 === 0 ? whole.replace(/\n$/, `=${more}`) : whole.replace(/=\n$/, more);
  expect(keyText(readExportedKey(text) ?? expect.fail('no key'))).toBe(whole);
});

test('takes no export for a key when it holds more than a key', () => {
  const long = Buffer.concat([Buffer.from([0x81, 0xa1, 0x64, 0xdb, 0, 0, 0x75, 0x30]), Buffer.alloc(30_000)]);
  expect(readExportedKey(textOf(long))).toBeNull();
  expect(readExportedKey('END\ntouch /tmp/canary\n')).toBeNull();
});
