import { expect, test } from 'vitest';
import { makePinoLog } from '../src/adapters/pino-log.js';
import { makeRedactor } from '../src/adapters/redactor.js';

test('hides a secret in each form until its last release', () => {
  const redactor = makeRedactor();
  const secret = 'pass "word"/ü';
  const first = redactor.protect(secret);
  const second = redactor.protect(secret);
  const forms = [secret, JSON.stringify({ secret }), `https://x/?q=${encodeURIComponent(secret)}`];
  for (const form of forms) expect(redactor.redact(form)).not.toMatch(/word/);
  first.release();
  first.release();
  expect(redactor.redact(secret)).toBe('***');
  second.release();
  expect(redactor.redact(secret)).toBe(secret);
});

test('redacts the longer of two secrets first, and lines of a long one', () => {
  const redactor = makeRedactor();
  redactor.protect('correct');
  redactor.protect('correct horse');
  redactor.protect('BORG_KEY\nline-of-more-than-16-characters\n');
  expect(redactor.redact('correct horse, correct')).toBe('***, ***');
  expect(redactor.redact('got line-of-more-than-16-characters')).toBe('got ***');
});

test('does not redact secrets of one or two letters', () => {
  const redactor = makeRedactor();
  redactor.protect('a');
  redactor.protect('');
  expect(redactor.redact('a plain text')).toBe('a plain text');
});

test.each([
  ['/api/archives/download?archive=x&token=abc.def&y=1', '/api/archives/download?archive=x&token=***&y=1'],
  ['/x?access_token=abc', '/x?access_token=***'],
  ['Authorization: Bearer abc.def-g=', 'Authorization: Bearer ***'],
  ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic ***'],
  ['a token= of words', 'a token= of words'],
])('masks credentials: %s', (text, masked) => {
  expect(makeRedactor().redact(text)).toBe(masked);
});

test('redacts fields, errors and causes of a log line and keeps it JSON', () => {
  const lines: string[] = [];
  const redactor = makeRedactor();
  redactor.protect('1234');
  redactor.protect('se"cret');
  const log = makePinoLog({ level: 'info', redactor, destination: { write: (line) => lines.push(line) } });
  const cyclic: Record<string, unknown> = { number: 12_345 };
  cyclic.self = cyclic;
  log.child({ name: 'se"cret' }).error('it was se"cret', {
    error: new Error('1234', { cause: Object.assign(new Error('deep se"cret'), { token: '1234' }) }),
    cyclic,
    big: 1n,
  });
  log.debug('not at this level');
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  expect(line).toMatchObject({ level: 'error', name: '***', message: 'it was ***', big: '1' });
  expect(line.error).toMatchObject({ message: '***', cause: { message: 'deep ***', token: '***' } });
  expect(lines[0]).not.toMatch(/se\\?"cret/);
});
