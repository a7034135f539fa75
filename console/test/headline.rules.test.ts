import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadFirst } from '../src/i18n/messages.js';
import { furthestBehind, headlineWords } from '../src/screens/home/headline.rules.js';

const headline = (code: string, params: object, state = 'damaged', repositories: object[] = []) =>
  headlineWords({ headline: { code, params, state, text: '' }, repositories } as never);

describe('the headline of Home', () => {
  beforeAll(async () => {
    vi.stubGlobal('navigator', { languages: ['en-GB'] });
    await loadFirst();
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  it('counts each class once if there are several', () => {
    const params = { total: 6, damaged: 1, unreachable: 1, late: 0, drill: 0, unknown: 0, protected: 4 };
    expect(headline('overview_states', params)).toBe('1 damaged, 1 can’t be opened, 4 protected.');
  });

  it('says one class in a sentence', () => {
    expect(headline('overview_late', { count: 2, total: 6 }, 'late')).toBe('2 of 6 backups are late.');
    expect(headline('overview_unreachable', { count: 1, total: 2 }, 'unknown')).toBe(
      '1 of 2 repositories can’t be opened.',
    );
  });

  it('says that there is no archive yet if nothing else is unknown', () => {
    const because = (code: string) => ({ status: 'unknown', reason: { code } });
    const [first, other] = [because('protection_first_archive_due'), because('overview_list_outdated')];
    const said = (...all: object[]) => headline('overview_unknown', { count: 1, total: 2 }, 'unknown', all);
    expect(said(first, { status: 'protected' })).toBe('1 of 2 repositories has no archive yet.');
    expect(said(first, other)).toMatch(/can’t confirm/);
  });

  it('names the late one whose protection ended first, never a healthy one', () => {
    const one = (name: string, status: string, newest: string, until: string) =>
      ({ name, status, newest_archive: newest, protected_until: until }) as never;
    const weekly = one('weekly', 'protected', '2026-11-01', '2026-11-30');
    expect(furthestBehind([weekly])).toBeUndefined();
    const late = [one('a', 'late', '2026-11-02', '2026-11-20'), one('b', 'late', '2026-11-03', '2026-11-10')];
    expect(furthestBehind([weekly, ...late])?.name).toBe('b');
  });
});
