import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import type { Candidate } from '../../src/backup/drills/sample.rules.js';

export const entryOf = (path: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  path,
  type: 'file',
  mode: '-rw-r--r--',
  user: 'ann',
  group: 'ann',
  size: 10,
  mtime: 1_000,
  hardLinkTarget: null,
  symlinkTarget: null,
  healthy: true,
  ...more,
});

export const candidateOf = (
  index: number,
  { passedAt = 0, ...more }: Partial<ArchiveEntry> & { passedAt?: number } = {},
): Candidate => ({ entry: entryOf(`f${index}`, more), path: `f${index}`, index, passedAt });
