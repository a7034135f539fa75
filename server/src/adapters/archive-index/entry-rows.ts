import type { IndexedEntry } from '@holdfast/core/server';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';

const types = ['directory', 'file', 'symlink', 'other'] as const;
export const typeCode = (type: ArchiveEntry['type']): number => types.indexOf(type);
export const directoryCode = 0;
export const fileCode = 1;

export interface VersionRow {
  type: number;
  size: number;
  mtime: number | null;
  extras: string | null;
}

export const versionColumns = (table: string): string =>
  ['type', 'size', 'mtime', 'extras'].map((name) => `${table}.${name}`).join(', ');

interface Extras {
  /** First name of a hard-linked file. */
  h?: string;
  /** Target of a symlink. */
  s?: string;
  /** The tool's own path where it isn't folder and name joined. */
  p?: string;
  /** Damaged. Comes last. */
  d?: 1;
}

export function extrasOf(entry: ArchiveEntry, path: string): string | null {
  const { hardLinkTarget: h, symlinkTarget: s, healthy } = entry;
  if (h === null && s === null && healthy && entry.path === path) return null;
  const extras: Extras = {};
  if (h !== null) extras.h = h;
  if (s !== null) extras.s = s;
  if (entry.path !== path) extras.p = entry.path;
  if (!healthy) extras.d = 1;
  return JSON.stringify(extras);
}

const parsed = (extras: string | null): Extras => (extras === null ? {} : (JSON.parse(extras) as Extras));

export function indexedEntry(path: string, { type, size, mtime, extras }: VersionRow): IndexedEntry {
  const { s = null, d } = parsed(extras);
  return { path, type: types[type] ?? 'other', size, mtime, symlinkTarget: s, healthy: d !== 1 };
}

/** As the tool lists it, without the owner and the mode. */
export function archiveEntry(path: string, { type, size, mtime, extras }: VersionRow): ArchiveEntry {
  const { h = null, s = null, p = path, d } = parsed(extras);
  return {
    path: p,
    type: types[type] ?? 'other',
    mode: '',
    user: '',
    group: '',
    size: h === null ? size : 0,
    mtime: mtime ?? 0,
    hardLinkTarget: h,
    symlinkTarget: s,
    healthy: d !== 1,
  };
}

/** Of one path. An existing directory never counts as changed. */
export const isChanged = (before: IndexedEntry, after: IndexedEntry): boolean =>
  before.type !== after.type ||
  (after.type !== 'directory' &&
    (before.size !== after.size ||
      before.mtime !== after.mtime ||
      before.symlinkTarget !== after.symlinkTarget ||
      before.healthy !== after.healthy));
