import { describe, expect, it } from 'vitest';
import { formatArchiveComment, parseArchiveComment } from '../../src/domain/archive-comment.js';

describe('archive comment', () => {
  it('says who made an archive, and is read back', () => {
    const origin = { installation: 'a1b2', scheduleId: 7, jobId: 12 };
    expect(formatArchiveComment(origin)).toBe('holdfast:1:a1b2:7:12');
    expect(parseArchiveComment('holdfast:1:a1b2:7:12')).toEqual(origin);
  });

  it('has a dash where no schedule asked for the archive', () => {
    const origin = { installation: 'a1b2', scheduleId: null, jobId: 12 };
    expect(parseArchiveComment(formatArchiveComment(origin))).toEqual(origin);
  });

  it.each(['', 'nightly', 'holdfast:2:a:7:12', 'holdfast:1:a:7:12 ', 'holdfast:1:a:7:twelve'])(
    'takes %j for the comment of someone else',
    (comment) => expect(parseArchiveComment(comment)).toBeNull(),
  );
});
