import { describe, expect, it } from 'vitest';
import {
  freeArchiveName,
  isCheckpointName,
  manualArchiveName,
} from '../../src/backup/repositories/archive-name.rules.js';

describe('archive names', () => {
  it('carries the start in the zone of the schedules, without any in UTC', () => {
    const at = Date.UTC(2026, 2, 1, 2, 0, 5, 999);
    expect(manualArchiveName(at)).toBe('manual-backup-2026-03-01T02:00:05');
    expect(manualArchiveName(at, 'Asia/Tokyo')).toBe('manual-backup-2026-03-01T11:00:05');
  });

  it('counts on when the name is taken', () => {
    const taken = new Set(['a', 'a-2']);
    expect(freeArchiveName('a', (name) => taken.has(name))).toBe('a-3');
    expect(freeArchiveName('b', (name) => taken.has(name))).toBe('b');
  });

  it.each([
    ['x.checkpoint', true],
    ['x.checkpoint.3', true],
    ['x.checkpoints', false],
    ['checkpoint', false],
    ['x.checkpoint.', false],
  ])('knows unfinished archives by their end: %s', (name, expected) => {
    expect(isCheckpointName(name)).toBe(expected);
  });
});
