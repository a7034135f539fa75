import { expect, it } from 'vitest';
import de from '../src/messages/de/exchange.js';
import en from '../src/messages/en/exchange.js';

const counts = { create: 0, change: 0, unchanged: 4, cannot: 0 };

it.each([
  ['en', en, '0 skipped, 2 options skipped.'],
  ['de', de, 'Ausgelassen: 0, und 2 Optionen.'],
] as const)('counts options that are left out (%s)', (_name, messages, words) => {
  expect(messages.planned({ ...counts, options_left_out: 2 })).toContain(words);
  expect(messages.done({ ...counts, options_left_out: 2 })).toContain(words);
  expect(messages.planned({ ...counts, options_left_out: 0 })).not.toContain('2');
});
