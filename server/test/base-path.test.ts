import { expect, test } from 'vitest';
import { withoutBase } from '../src/http/middleware/base-path.js';

test.each([
  ['/holdfast', '/'],
  ['/holdfast/', '/'],
  ['/holdfast?a=/holdfast/', '/?a=/holdfast/'],
  ['/holdfast/?a', '/?a'],
  ['/holdfast/api/jobs?limit=1', '/api/jobs?limit=1'],
  ['/holdfast/holdfast/api', '/api'],
  ['/holdfast/holdfast', '/'],
  ['/api/jobs', '/api/jobs'],
  ['/', '/'],
  ['/holdfaster/api', '/holdfaster/api'],
  ['/Holdfast/api', '/Holdfast/api'],
  ['/x/holdfast/api', '/x/holdfast/api'],
  ['/holdfast//api', '//api'],
  ['*', '*'],
])('below /holdfast, %s is %s', (given, rest) => {
  expect(withoutBase(given, '/holdfast')).toBe(rest);
});

test('keeps every address without a base path', () => {
  for (const url of ['/', '/api', '//x', '*']) expect(withoutBase(url, '')).toBe(url);
});
