import { expect, test } from 'vitest';
import { attachment } from '../src/http/downloads/attachment.js';

test.each([
  ['a.txt', 'attachment; filename="a.txt"'],
  ['dir/a b.txt', 'attachment; filename="a b.txt"'],
  ['', 'attachment; filename="download"'],
  ['..', 'attachment; filename="download"'],
  ['ü.txt', `attachment; filename="_.txt"; filename*=UTF-8''%C3%BC.txt`],
  ['a"b\r\nX: y', `attachment; filename="a_b__X: y"; filename*=UTF-8''a%22b__X%3A%20y`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
  ['ü(1).txt', `attachment; filename="_(1).txt"; filename*=UTF-8''%C3%BC%281%29.txt`],
  ['50%.txt', `attachment; filename="50_.txt"; filename*=UTF-8''50%25.txt`],
  ['bad\udcff.txt', `attachment; filename="bad_.txt"; filename*=UTF-8''bad%EF%BF%BD.txt`],
])('%j', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test('cuts a very long name and keeps the header valid', () => {
  const header = attachment('😀'.repeat(500));
  expect(() => new Headers({ 'content-disposition': header })).not.toThrow();
  expect(header.length).toBeLessThan(5000);
});
