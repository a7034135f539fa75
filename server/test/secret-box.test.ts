import { expect, test } from 'vitest';
import { makeSecretBox } from '../src/adapters/secret-box.js';

const box = makeSecretBox({ current: 'the first key of this test' });

test.each(['', 'correct horse', 'ünï\0code\n', 'x'.repeat(100_000)])('decrypts its envelopes', (plain) => {
  const envelope = box.seal('passphrase', plain);
  expect(envelope).not.toContain(plain || 'passphrase');
  expect(box.open('passphrase', envelope)).toBe(plain);
});

test('creates different envelopes for the same secret', () => {
  expect(box.seal('p', 'same')).not.toBe(box.seal('p', 'same'));
});

test('refuses another purpose', () => {
  expect(() => box.open('keyfile', box.seal('passphrase', 'text'))).toThrow(/can't be decrypted/);
});

test('detects a change of any part', () => {
  const [format, keyId, content = ''] = box.seal('p', 'text').split('.');
  const bytes = Buffer.from(content, 'base64url');
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => box.open('p', `${format}.${keyId}.${changed.toString('base64url')}`)).toThrow();
  }
  for (const text of [
    '',
    'plain',
    `hf0.${keyId}.${content}`,
    `${format}.${keyId}.`,
    `${format}.${keyId}.AAAA`,
  ]) {
    expect(() => box.open('p', text)).toThrow(/can't be decrypted/);
  }
});

test('reports another key, and decrypts with a former key', () => {
  const envelope = box.seal('p', 'text');
  const next = makeSecretBox({ current: 'the second key of this test' });
  expect(() => next.open('p', envelope)).toThrow(/another SECRET_KEY/);
  const rotated = makeSecretBox({
    current: 'the second key of this test',
    former: ['the first key of this test'],
  });
  expect(rotated.open('p', envelope)).toBe('text');
  expect(next.open('p', rotated.seal('p', 'new'))).toBe('new');
});
