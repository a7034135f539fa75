import { describe, expect, it } from 'vitest';
import { massChangeIn, massChangeRemark } from '../../src/backup/backups/mass-change.rules.js';
import type { ArchiveDelta } from '../../src/foundation/ports/archive-index.js';

const limits = { mass_change_percent: 50, mass_change_files: 1000 };
const delta = (more: Partial<ArchiveDelta> = {}): ArchiveDelta => ({
  before: 'a',
  filesBefore: 1000,
  added: 0,
  changed: 0,
  removed: 0,
  renamed: 0,
  folders: [],
  ...more,
});
const isMass = (more: Partial<ArchiveDelta>, { isPartial = false, ...other } = {}) =>
  massChangeIn(delta(more), { ...limits, ...other }, isPartial) !== null;

describe('a mass change', () => {
  it.each<[string, Partial<ArchiveDelta>, object, boolean]>([
    ['is more than the limit', { changed: 300, removed: 201 }, {}, true],
    ['is not the limit itself', { changed: 300, removed: 200 }, {}, false],
    ['needs enough files before', { filesBefore: 999, changed: 999 }, {}, false],
    ['needs fewer if the repository says so', { filesBefore: 9, changed: 9 }, { mass_change_files: 9 }, true],
    ['follows a limit of its own', { changed: 101 }, { mass_change_percent: 10 }, true],
    ['is never added files', { added: 9_000 }, {}, false],
    ['is 80 % new extensions of few files', { filesBefore: 50, removed: 40, renamed: 40 }, {}, true],
    ['is not fewer extensions', { filesBefore: 50, removed: 39, renamed: 39 }, {}, false],
    ['is not very few files', { filesBefore: 49, removed: 49, renamed: 49 }, {}, false],
    ['is off at 0', { changed: 1000, renamed: 1000 }, { mass_change_percent: 0 }, false],
    ['is not a source that is missing', { removed: 1000 }, { isPartial: true }, false],
    [
      'is renamed files of a partial backup',
      { changed: 100, removed: 900, renamed: 401 },
      { isPartial: true },
      true,
    ],
  ])('%s', (_what, more, other, expected) => {
    expect(isMass(more, other)).toBe(expected);
  });

  it('keeps the worst folders with short, printable examples', () => {
    const folder = { changed: 1, removed: 0, examples: Array(9).fill(`a\n\ud800${'x'.repeat(999)}`) };
    const folders = Array.from({ length: 20 }, (_, n) => ({ ...folder, path: `f${n}` }));
    const kept = massChangeIn(delta({ changed: 1000, folders }), limits, false);
    expect(kept?.folders).toHaveLength(10);
    expect(kept?.folders[0]?.examples).toEqual(Array(5).fill(`a\ufffd\ufffd${'x'.repeat(497)}`));
  });

  it('is described with its counts, folders and examples', () => {
    const folders = [{ path: 'home/ann', changed: 900, removed: 5, examples: ['a.txt', 'b.txt', 'c.txt'] }];
    const change = massChangeIn(delta({ changed: 900, removed: 5, folders }), limits, false);
    if (!change) throw new Error('no mass change');
    expect(massChangeRemark({ ...change, before: { id: 'a', name: 'monday' } }).text).toBe(
      'Of 1000 files in archive monday, 900 changed and 5 were removed, most of them in: /home/ann (a.txt, b.txt). Nothing is pruned until you accept the changes.',
    );
  });
});
