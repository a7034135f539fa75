import { expect, test } from 'vitest';
import { reasonOf } from '../../src/foundation/kernel/reason-of.js';
import { oddValues } from '../plugins/guards/odd-values.js';

test.each(oddValues)('describes %s in one line', (_name, value) => {
  expect(reasonOf(value)).toMatch(/^[^\n]*[^\n.]$/);
});

test.each([
  [new Error('The server\n is away.'), 'The server is away'],
  [new SyntaxError('Unexpected token'), 'SyntaxError: Unexpected token'],
  [{ message: 'of another kind' }, 'of another kind'],
  [undefined, 'it gave no reason'],
  ['x'.repeat(2_000), `${'x'.repeat(500)}…`],
])('describes %o as "%s"', (cause, text) => {
  expect(reasonOf(cause)).toBe(text);
});
