import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dayOf, duration, moment } from '../src/i18n/format.js';
import { namesIn, readable } from '../src/ui/sentence.js';

beforeAll(() => {
  vi.stubGlobal('navigator', { languages: ['en-GB'] });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe('a moment', () => {
  const thisYear = new Date().getFullYear();

  it('has its year if it is another one', () => {
    for (const shown of [moment, dayOf]) {
      expect(shown(new Date(thisYear, 2, 1, 2))).not.toContain(String(thisYear));
      expect(shown(new Date(thisYear - 1, 2, 1, 2))).toContain(String(thisYear - 1));
    }
  });
});

it.each([
  [0.3, '< 1 s'],
  [90_000, '25 h'],
  [32 * 86_400, '32 d'],
])('shows %d seconds as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

it.each([
  ['It is 19.5 h old, of 1,200.5 GB.', 'It is 19.5~h old, of 1,200.5~GB.'],
  ['It is 0 h old, not 0.5 h.', 'It is <~1~h old, not <~1~h.'],
  ['It is 1,204.5 h old.', 'It is 50~d~4~h old.'],
  ['See /srv/v1.2 B', 'See /srv/v1.2 B'],
])('shows the amounts of “%s” as users write them', (text, shown) => {
  expect(readable(text).replaceAll('\u00a0', '~')).toBe(shown);
});

it('leaves amounts in names as they are', () => {
  const params = { repository: 'Every 72 h', age: '72 h', reason: 'It took 90 h.', size: 4 };
  const text = 'Every 72 h is 72 h old, and Every 72 h again: It took 90 h.';
  expect(readable(text, namesIn(params)).replaceAll('\u00a0', '~')).toBe(
    'Every 72 h is 3~d old, and Every 72 h again: It took 3~d~18~h.',
  );
});
