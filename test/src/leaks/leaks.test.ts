import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { leaksIn } from './scan.js';
import { SecretBook } from './secret-book.js';

const book = new SecretBook();
const plain = book.plant('a password');
const odd = book.keep('odd', 'pa"ss\'$(id) \\ü 9f27c1 &=%');
const shared = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMw';
const line = 'c2VjcmV0LWhhbGYtb2YtYS1rZXkAAAAEbm9uZQAAAAAAAAABAAAAMwAAAA';
book.keep('a key', `-----BEGIN KEY-----\n${shared}\nAAAAfirst+line/of+the/key\n${line}\n-----END KEY-----\n`);

const foundIn = (content: Buffer | string) =>
  leaksIn([{ channel: 'answers', place: 'x', content }], book).map(
    ({ secret, form }) => `${secret}: ${form}`,
  );
const words = (secret: string) => `before ${secret} after`;
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

test('takes no line for a secret that all keys share', () => {
  expect(foundIn(words(shared))).toEqual([]);
  expect(foundIn(words(line))).not.toEqual([]);
});

test.each<[string, Buffer | string, string]>([
  ['as it is', words(plain), 'a password: plain'],
  ['in JSON', JSON.stringify({ a: odd }), 'odd: JSON'],
  ['in JSON in JSON', JSON.stringify(JSON.stringify({ a: odd })), 'odd: JSON in JSON'],
  ['in a URL', `/?a=${encodeURIComponent(odd)}`, 'odd: URL'],
  ['in a form', new URLSearchParams({ a: odd }).toString(), 'odd: form'],
  ['in hex', Buffer.from(words(plain)).toString('hex'), 'a password: hex'],
  ['in large hex', Buffer.from(words(plain)).toString('hex').toUpperCase(), 'a password: hex'],
  ['in base64', base64(`user:${plain}`), 'a password: base64'],
  ['in base64, one further', base64(`user1:${plain}`), 'a password: base64'],
  ['in base64, two further', base64(`user12:${plain}@host`), 'a password: base64'],
  ['in base64 for URLs', Buffer.from(`ÿ${odd}ÿ`).toString('base64url'), 'odd: base64'],
  ['in UTF-16', Buffer.from(words(plain), 'utf16le'), 'a password: UTF-16'],
  ['in zlib', Buffer.concat([Buffer.from('mark'), deflateSync(words(plain))]), 'a password: plain in zlib'],
  ['in gzip', Buffer.concat([Buffer.from('x'), gzipSync(words(odd))]), 'odd: plain in gzip'],
  ['in zlib in base64', base64(deflateSync(words(plain))), 'a password: plain in zlib in base64'],
  ['behind letters', `seeded0${base64(deflateSync(plain))}`, 'a password: plain in zlib in base64'],
  ['in gzip in hex', `\\x${gzipSync(plain).toString('hex')} `, 'a password: plain in gzip in hex'],
  ['as one line of a key', `x ${line}\\n`, 'a key: plain'],
])('finds a secret %s', (_how, content, expected) => {
  expect(foundIn(content)).toContain(expected);
});

test('ignores texts that are not secret, and allowed ones', () => {
  expect(foundIn(`-----BEGIN KEY----- ${plain.slice(1)} ${line.slice(2)}`)).toEqual([]);
  const allowed = { channel: 'answers', place: 'x', content: words(plain) } as const;
  expect(leaksIn([{ ...allowed, mayHold: ({ name }) => name === 'a password' }], book)).toEqual([]);
  expect(leaksIn([{ ...allowed, mayHold: ({ name }) => name === 'odd' }], book)).toHaveLength(1);
});

test('refuses a secret that could occur by chance', () => {
  const short = new SecretBook();
  short.keep('short', 'abc');
  expect(() => leaksIn([], short)).toThrow(/too short/);
});
