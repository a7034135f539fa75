import type { RemoteEntry } from '@holdfast/core/server';

const typeBits = 0o170000;
const types = new Map<number, RemoteEntry['type']>([
  [0o040000, 'directory'],
  [0o100000, 'file'],
  [0o120000, 'symlink'],
]);

export interface EntryFacts {
  mode: number | undefined;
  size: number | undefined;
  /** Seconds since the epoch. */
  mtime: number | undefined;
}

export function toEntry(name: string, { mode, size, mtime }: EntryFacts): RemoteEntry {
  const type = types.get((mode ?? 0) & typeBits) ?? 'other';
  return {
    name,
    type,
    size: type === 'file' ? (size ?? null) : null,
    modified: mtime === undefined ? null : mtime * 1000,
    mode: mode === undefined ? null : mode & 0o7777,
  };
}
