import { describe, expect, it } from 'vitest';
import { barOf, type Job, resultOf } from '../src/follow.js';
import { widthOf } from '../src/text.js';

const progress_details = {
  ...{ original_size: 1_200_000_000, compressed_size: 0, deduplicated_size: 3_000_000, nfiles: 12 },
  ...{ current_file: '', speed: 1, total_expected_size: 2_000_000_000, estimated_time_remaining: 38 },
};
const job = (more: Partial<Job>): Job =>
  ({
    ...{ id: 7, kind: 'backup', status: 'running', repository_name: 'home', progress: 60, seconds: 12 },
    ...{ error_message: null, waiting_for: null, about: {}, progress_details },
    ...more,
  }) as Job;

describe('barOf', () => {
  it('shows the size and the rest of the time where they fit', () => {
    expect(barOf(job({}), 79)).toBe(
      `backup of home  ${'█'.repeat(23)}${'░'.repeat(15)}  60 %  1.2 GB  38 s left`,
    );
    expect(barOf(job({}), 39)).toBe(`backup of home  ${'█'.repeat(10)}${'░'.repeat(7)}  60 %`);
    expect(barOf(job({}), 19)).toBe('backup o…  60 %');
  });
  it.each([19, 39, 79])('keeps any job within %d columns', (width) => {
    const name = '写真'.repeat(40);
    for (const one of [
      job({ repository_name: name }),
      job({ repository_name: name, progress: 100 }),
      job({ status: 'pending', waiting_for: `the repository \x1b[2J${name}` }),
      job({ status: 'completed_with_warnings', repository_name: name }),
    ]) {
      const line = barOf(one, width);
      expect(widthOf(line)).toBeLessThanOrEqual(width);
      expect(line).not.toContain('\x1b');
    }
  });
});

describe('resultOf', () => {
  it('names the kind, the result and its figures', () => {
    expect(resultOf(job({ status: 'completed' }))).toBe(
      'Backup of home: completed in 12 s: 12 files, 1.2 GB, 3.0 MB new',
    );
    expect(resultOf(job({ kind: 'archive_deletion', status: 'completed', seconds: null }))).toBe(
      'Archive deletion of home: completed',
    );
  });
  it('gives the reason of a failure', () => {
    const failed = job({ status: 'failed', error_message: 'The disk is full.' });
    expect(resultOf(failed)).toBe('Backup of home: failed in 12 s: The disk is full.');
  });
});
