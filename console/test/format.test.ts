import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dayOf, moment } from '../src/i18n/format.js';

describe('a moment', () => {
  beforeAll(() => {
    vi.stubGlobal('navigator', { languages: ['en-GB'] });
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  const thisYear = new Date().getFullYear();

  it('has its year if it is another one', () => {
    for (const shown of [moment, dayOf]) {
      expect(shown(new Date(thisYear, 2, 1, 2))).not.toContain(String(thisYear));
      expect(shown(new Date(thisYear - 1, 2, 1, 2))).toContain(String(thisYear - 1));
    }
  });
});
