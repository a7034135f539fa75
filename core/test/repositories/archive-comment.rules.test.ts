import { describe, expect, it } from 'vitest';
import {
  formatArchiveComment,
  parseArchiveComment,
} from '../../src/backup/repositories/archive-name.rules.js';

describe('archive comment', () => {
  it('names the creator of an archive by random ids and is read back', () => {
    const origin = { installation: 'a1b2', schedule: '00ff', job: '0123abcd' };
    expect(formatArchiveComment(origin)).toBe('holdfast:2:a1b2:00ff:0123abcd');
    expect(parseArchiveComment('holdfast:2:a1b2:00ff:0123abcd')).toEqual(origin);
  });

  it('marks backups of Holdfast itself', () => {
    const origin = { installation: 'a1b2', schedule: null, job: '0123abcd', itself: true as const };
    expect(parseArchiveComment(formatArchiveComment(origin))).toEqual(origin);
  });

  it('is understood with the numbers of earlier releases', () => {
    const origin = { installation: 'a1b2', schedule: 7, job: 12 };
    expect(parseArchiveComment('holdfast:1:a1b2:7:12')).toEqual(origin);
    expect(formatArchiveComment(origin)).toBe('holdfast:1:a1b2:7:12');
  });

  it.each([12, '12ab'])('has a dash where no schedule asked for the archive of job %s', (job) => {
    const origin = { installation: 'a1b2', schedule: null, job };
    expect(parseArchiveComment(formatArchiveComment(origin))).toEqual(origin);
  });

  it('never takes digits for a number in a random id', () => {
    expect(parseArchiveComment('holdfast:2:a:7:12')).toEqual({ installation: 'a', schedule: '7', job: '12' });
  });

  it.each([
    '',
    'nightly',
    'holdfast:3:a:7:12',
    'holdfast:1:a:7:12 ',
    'holdfast:1:a:7:twelve',
    'holdfast:2:a:7:',
  ])('treats %j as the comment of another program', (comment) =>
    expect(parseArchiveComment(comment)).toBeNull(),
  );
});
