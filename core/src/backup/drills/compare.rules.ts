import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { type Message, say, storedMessage } from '../../foundation/kernel/index.js';
import type { PathResult } from './drill.rules.js';

/** The restored file at a path. Times in milliseconds. */
export interface Restored {
  type: ArchiveEntry['type'];
  size: number;
  mtime: number;
  linkTarget: string | null;
  sha256: string | null;
}

/** The current source file. `sha256` is null unless size and time match the archive. */
export interface Source {
  unchanged: boolean;
  /** When its inode changed last. */
  ctime: number;
  sha256: string | null;
}

/** The listing of the tool has microseconds. */
const toleranceMs = 0.0021;
/** Of file systems that keep whole seconds, or two. */
const coarseMs = 2_000;

export const sameTime = (listed: number, found: number): boolean => Math.abs(listed - found) <= toleranceMs;

const isRestoredTime = (listed: number, found: number): boolean =>
  sameTime(listed, found) || (found % 1_000 === 0 && Math.abs(listed - found) <= coarseMs);

/** Whether the tool is done with an entry: it sets the time of a file last. */
export const isWhole = (entry: ArchiveEntry, found: Restored | null): boolean =>
  found?.type === entry.type &&
  (entry.type === 'symlink' ||
    ((entry.hardLinkTarget !== null || found.size === entry.size) &&
      isRestoredTime(entry.mtime, found.mtime)));

interface Compared {
  entry: ArchiveEntry;
  path: string;
  restored: Restored | null;
  /** Null: not on this machine, or the archive was not made from it. `missing`: the file no longer exists. */
  source: Source | 'missing' | null;
  archiveStart: number;
}

/** The verdict on a path that was to be restored. */
export function comparePath({ entry, path, restored, source, archiveStart }: Compared): PathResult {
  const { type, size, mtime } = entry;
  const base = { path, type, size, mtime, sha256: restored?.sha256 ?? null, source: stateOf(source) };
  const reason = difference(entry, restored);
  if (reason) return { ...base, verdict: 'failed', bySource: false, ...because(reason) };
  if (source === null || source === 'missing' || source.sha256 === null || restored?.sha256 == null) {
    return { ...base, verdict: 'passed', bySource: false };
  }
  if (source.sha256 === restored.sha256) return { ...base, verdict: 'passed', bySource: true };
  // A program can set the time of a changed file back, but that updates its inode.
  if (source.ctime >= archiveStart) return { ...base, source: 'changed', verdict: 'passed', bySource: false };
  return { ...base, verdict: 'failed', bySource: true, ...because(differsFromSource()) };
}

export const because = (message: Message) => ({ reason: storedMessage(message) });

function stateOf(source: Compared['source']): PathResult['source'] {
  if (source === null) return 'not_here';
  if (source === 'missing') return 'missing';
  return source.unchanged ? 'unchanged' : 'changed';
}

/** How what was restored differs from the listing of the archive. */
function difference(entry: ArchiveEntry, restored: Restored | null): Message | null {
  if (!restored) return say`drill_not_restored: It was not restored.`;
  if (restored.type !== entry.type) {
    return say`drill_other_type: It was restored as ${{ restored: restored.type }}; the archive lists it as ${{ listed: entry.type }}.`;
  }
  if (entry.type === 'symlink') {
    return restored.linkTarget === entry.symlinkTarget
      ? null
      : say`drill_other_link_target: The symlink has a different target than the archive lists.`;
  }
  // A further name of a hard-linked file is listed without its size.
  if (entry.hardLinkTarget === null && restored.size !== entry.size) {
    return say`drill_other_size: ${{ restored: restored.size }} bytes were restored; the archive lists ${{ listed: entry.size }}.`;
  }
  return isRestoredTime(entry.mtime, restored.mtime)
    ? null
    : say`drill_other_time: It was restored with a different time than the archive lists.`;
}

const differsFromSource = () =>
  say`drill_differs_from_source: Its content differs from the source, which has the same size and time and has not changed since the backup.`;
