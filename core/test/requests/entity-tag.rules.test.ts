import { describe, expect, it } from 'vitest';
import { assertMatches, isUnchanged, tagOf, tagText } from '../../src/app/requests/entity-tag.rules.js';

const changing = new Set(['last_run']);
const shown = { success: true, job: { id: 1, name: 'nightly', last_run: null as string | null } };
const tag = tagOf(shown, changing);
const text = tagText(tag);
const ranSince = tagOf({ ...shown, job: { ...shown.job, last_run: 'now' } }, changing);
const renamed = tagOf({ ...shown, job: { ...shown.job, name: 'daily' } }, changing);

describe('an entity tag', () => {
  it('is a strong tag of printable characters', () => expect(text).toMatch(/^"[\w-]{16}-[\w-]{16}"$/));
  it('is the same for the same content', () =>
    expect(tagText(tagOf(structuredClone(shown), changing))).toBe(text));

  it.each(['*', ' * ', text, `"x", ${text}`, `W/"x" ,${text},`, ` ${text}\t`])('%s holds', (header) => {
    expect(() => assertMatches(header, tag)).not.toThrow();
    expect(isUnchanged(header, tag)).toBe(true);
  });

  it('allows a change after internal updates, but not a cached read', () => {
    expect(() => assertMatches(text, ranSince)).not.toThrow();
    expect(isUnchanged(text, ranSince)).toBe(false);
  });

  it.each(['"x"', `W/${text}`, '""', '"a,b"', `"${text.slice(1, -2)}"`])('%s does not hold', (header) => {
    expect(() => assertMatches(header, tag)).toThrow(
      expect.objectContaining({ code: 'precondition_failed' }),
    );
  });
  it('changes when the object is edited', () => {
    expect(() => assertMatches(text, renamed)).toThrow(/changed since you read it/);
    expect(isUnchanged(text, renamed)).toBe(false);
  });

  it.each(['', 'abc', '"open', `${text} x`, '**'])('refuses %s', (header) => {
    for (const use of [assertMatches, isUnchanged]) {
      expect(() => use(header, tag)).toThrow(expect.objectContaining({ code: 'invalid' }));
    }
  });
});
