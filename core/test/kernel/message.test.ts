import { expect, test } from 'vitest';
import { invalid, Message, say } from '../../src/foundation/kernel/index.js';

test('has a code, named values and a text', () => {
  const message = say`files_missing: ${{ count: 2 }} files are missing: ${{ names: ['a', 'b'] }}.`;
  expect(message).toEqual({
    code: 'files_missing',
    params: { count: 2, names: ['a', 'b'] },
    text: '2 files are missing: a, b.',
  });
  expect(String(message)).toBe('2 files are missing: a, b.');
});

test('gives an error its code and values', () => {
  const error = invalid(say`port_wrong: There is no port ${{ port: 0 }}.`);
  expect(error.detail).toBe('There is no port 0.');
  expect(error.reason).toEqual(new Message('port_wrong', { port: 0 }, 'There is no port 0.'));
});
